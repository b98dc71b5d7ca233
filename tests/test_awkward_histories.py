"""Ten histories on which other trimmers break, at 38 budgets each."""

from __future__ import annotations

from typing import Any

import laws
import pytest

from contextkit import BudgetExceeded, TokenBudget, count, trim

Messages = list[dict[str, Any]]


def user(text: str) -> dict[str, Any]:
    return {"role": "user", "content": text}


def answer(text: str) -> dict[str, Any]:
    return {"role": "assistant", "content": text}


def system(text: str) -> dict[str, Any]:
    return {"role": "system", "content": text}


def tool_round(number: int, *results: str, content: str | None = None) -> Messages:
    calls = [
        {
            "id": f"c{number}_{place}",
            "type": "function",
            "function": {"name": "search_shelf", "arguments": f'{{"row": {place}}}'},
        }
        for place in range(len(results))
    ]
    return [
        {"role": "assistant", "content": content, "tool_calls": calls},
        *(
            {"role": "tool", "tool_call_id": f"c{number}_{place}", "content": result}
            for place, result in enumerate(results)
        ),
    ]


def chat(turns: int) -> Messages:
    return [
        message
        for n in range(turns)
        for message in (
            user(f"Question {n} about shelves?"),
            answer(f"Answer {n}: it depends." * 4),
        )
    ]


RULES = system("You look after a warehouse. " * 5)
IMAGE = {"type": "image_url", "image_url": {"url": "data:image/png;base64," + "iVBORw0KGgo" * 400}}

AWKWARD: dict[str, Messages] = {
    "three parallel calls": [
        RULES,
        *chat(3),
        user("Look at three rows."),
        *tool_round(1, "row 0: full " * 20, "row 1: empty", "row 2: half"),
        answer("Row 1 is empty."),
        user("Thanks, fill it."),
    ],
    "two parallel calls": [
        RULES,
        user("Two rows please."),
        *tool_round(1, "a", "b " * 60),
        answer("Done."),
        *chat(4),
        user("And now?"),
    ],
    "a long newest user message": [RULES, *chat(4), user("word " * 1_200)],
    "a system message in the middle": [
        RULES,
        *chat(3),
        system("From here on answer in French."),
        *chat(3),
        user("Combien?"),
    ],
    "null content beside calls": [
        RULES,
        *chat(2),
        user("Check."),
        *tool_round(1, "fine " * 30),
        *tool_round(2, "fine too"),
        answer("Both fine."),
        user("Good."),
    ],
    "an inline image": [
        RULES,
        *chat(2),
        {"role": "user", "content": [{"type": "text", "text": "What is this?"}, IMAGE]},
        answer("A pallet."),
        *chat(2),
        user("Which one?"),
    ],
    "a result larger than the budget": [
        RULES,
        *chat(2),
        user("Dump the log."),
        *tool_round(1, "2026-11-30 ok\n" * 900),
        answer("Nothing odd in it."),
        user("Sure?"),
    ],
    "three user messages in a row": [
        RULES,
        *chat(3),
        user("Hello?"),
        user("Are you there?"),
        user("I need the count of row 3."),
    ],
    "chinese": [
        system("你是仓库管理员，回答要简短。"),
        *(
            message
            for n in range(6)
            for message in (
                user(f"第{n}排的货架还有多少空位？请查一下。"),
                answer("还有三个空位，在左边。" * 5),
            )
        ),
        user("那就放到左边吧。"),
    ],
    "one task and eight tool rounds": [
        RULES,
        user("Sort all rows and tell me when it is done."),
        *(message for n in range(8) for message in tool_round(n, f"row {n} sorted " * 25)),
    ],
}


@pytest.mark.parametrize("low_water", [1.0, 0.5])
@pytest.mark.parametrize("name", AWKWARD)
def test_no_law_is_broken_at_any_budget(name: str, low_water: float) -> None:
    history = AWKWARD[name]
    total, least = count(history), count(laws.least_messages(history))
    for step in range(2, 40):
        limit = int(total * step * 0.025)
        if least > limit:
            with pytest.raises(BudgetExceeded):
                trim(history, max_tokens=limit)
            continue
        result = trim(history, max_tokens=limit, strategy=TokenBudget(low_water=low_water))
        laws.fits(result, limit)
        for law in laws.ALL_OF_A_RESULT:
            law(history, result)
