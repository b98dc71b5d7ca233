"""The programming language of a piece of code, by the words and signs that it uses."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from functools import lru_cache

_SAMPLE = 3_000
_TOKEN = re.compile(r"[#@$<]?[A-Za-z_][\w]*[!?]?|[^\w\s\"'`]{2,4}|[%$@]\w+|[A-Za-z]+")

_SIGNS = {
    "python": (
        "def self elif None True False __init__ import:1 from:1 except lambda:1 pass:1 in:0.3 "
        "not:0.5 and:0.3 np pd with:0.5 yield:0.5 range len:0.7 print:0.4 async:0.5 await:0.5 "
        "raise:1 as:0.5 plt dict:0.5 str:0.6 int:0.3 @app:1.5 @property:2 @dataclass:3"
    ),
    "javascript": (
        "const:1.5 let:1 function:1 => === !== console document window require:1 var:0.7 "
        "async:0.5 await:0.5 null:0.3 undefined module exports:1 addEventListener typeof:1 "
        "fetch:1 new:0.3 default:0.5 useState:1.5 useEffect:1.5"
    ),
    "typescript": (
        "interface:1.2 readonly:1 type:1 => const:1 export:1.5 import:0.7 string:1.2 number:1.5 "
        "boolean:1.2 Promise:1.5 React:1 as:0.4 enum:0.6 unknown:1 Record Partial ?: "
        "private:0.2 async:0.3"
    ),
    "java": (
        "public:1 private:0.8 static:0.7 final:1.5 String:1 System:1 void:0.6 class:0.4 "
        "extends:0.7 implements:1.5 @Override:2 throws:1.5 package:0.6 import:0.4 List:0.6 "
        "Collectors new:0.5 int:0.2 boolean:0.7"
    ),
    "kotlin": (
        "fun:2.5 val:1.5 var:0.6 suspend:3 data:0.7 when:0.8 companion override:0.5 ?: it:0.7 "
        "Int:0.6 String:0.3 Unit:1 import:0.3 ?. object:0.5 lateinit"
    ),
    "go": (
        "func:1.5 := package:1 nil:1 err:1.5 fmt:3 chan:2 defer:1.5 struct:0.6 interface:0.3 "
        "range:0.7 type:0.5 error:0.6 byte:0.7 ctx:0.7 make:0.5 go:0.7 string:0.4"
    ),
    "rust": (
        "fn:3 let:0.7 mut:3 impl:3 pub:2 use:1 match:1 &str:2 -> Vec:1 Some Option Result:1 :: "
        "println!:3 #[:3 self:0.3 crate:3 derive:3 u32:2 usize:2 struct:0.4 trait:1 enum:0.4 "
        "&mut"
    ),
    "c": (
        "#include:1.5 int:0.6 char:1 void:0.8 printf:2 struct:0.8 static:0.6 NULL:2 malloc:2 "
        "free:1 sizeof:1.5 #define:1.5 #ifdef:1.5 #ifndef:1.5 #endif:1.5 unsigned:1 typedef:1 "
        "-> extern:1 const:0.4 return:0.2 while:0.2"
    ),
    "cpp": (
        "#include:1 std:3 :: template:2.5 namespace:1.5 cout:3 auto:1.2 const:0.4 class:0.5 "
        "virtual:1.5 typename:2.5 nullptr:2 public:0.3 << unique_ptr:2 vector:1.5 operator:1 "
        "constexpr:2 override:0.4 noexcept:2 throw:0.4 bool:0.3"
    ),
    "csharp": (
        "using:1.5 namespace:1.2 public:0.7 string:0.7 var:0.6 async:0.5 Task:2 get:0.7 set:0.7 "
        "await:0.6 IEnumerable:3 decimal:2 record:1 new:0.4 class:0.4 Console:2 => void:0.3 "
        "private:0.4 static:0.5 override:0.4 System:1 null:0.3"
    ),
    "ruby": (
        "def:1 end:2 do:1 puts:2 require:1.2 attr_reader:3 attr_accessor:3 nil?:2.5 unless:1.5 "
        "elsif:1.5 module:0.8 each:1.5 class:0.3 self:0.4 yield:0.5 nil:0.6 require_relative:3 "
        "@:0.5 rescue:2 => map:0.4 new:0.3"
    ),
    "php": (
        "<?php:5 <?:3 $this:3 echo:1.5 function:0.7 -> => namespace:0.7 use:0.5 public:0.4 "
        "foreach:1.5 array:0.7 $request:1 $item:1 $key:1 ?>:2"
    ),
    "swift": (
        "let:0.8 var:0.7 func:1 guard:3 nil:0.6 struct:0.5 import:0.3 Int:0.6 String:0.4 some:1 "
        "mutating:3 @State:3 init:1 -> if:0.2 View:1 extension:1.5 self:0.3 UUID:1 shared:0.7 "
        "in:0.3 enum:0.3 protocol:1 private:0.2 public:0.3"
    ),
    "scala": (
        "object:1.5 extends:0.7 val:1.2 def:0.7 println:1 trait:0.8 case:0.8 => Int:0.5 "
        "String:0.2 with:0.5 implicit:2 sealed:1.5 match:0.4 App:1"
    ),
    "haskell": (
        ":: -> where:1.5 module:0.7 import:0.4 qualified:3 data:1 deriving:3 instance:1.5 "
        "let:0.3 otherwise:3 Maybe:1.5 IO:1.5 <$> >>= foldr:2 $:0.5 do:0.5 String:0.3 case:0.3 "
        "of:0.5 type:0.4 newtype:3"
    ),
    "lua": (
        "local:3 function:1 end:1.2 then:1.5 nil:1 .. ~= elseif:1 pairs:2 ipairs:3 do:0.5 "
        "print:0.4 return:0.2 M:1"
    ),
    "perl": (
        "my:2.5 use:1 strict:2.5 warnings:2 sub:2.5 $_:2 our:2.5 =~ print:0.4 %seen:1 chomp:2.5 "
        "@_:3 package:1 foreach:0.5 next:0.7 => qw:3 =head:3 =cut:3 shift:1.5 bless:3 -> die:1 "
        "head1:2 $self:2"
    ),
    "r": (
        "<- library:2.5 %>% function:0.5 data:0.4 c:0.5 TRUE:1.2 FALSE:1.2 ggplot:3 na:1 "
        "NULL:0.4 summarise:3 group_by:1.5 mutate:2"
    ),
    "sql": (
        "SELECT:2.5 FROM:1.5 WHERE:1.5 JOIN:2 CREATE:1.5 TABLE:2 INSERT:2 INTO:1 VALUES:1 "
        "GROUP:1 ORDER:1 BY:0.7 AND:0.5 PRIMARY:1.5 NOT:0.5 NULL:0.4 VARCHAR:2 ON:0.5 AS:0.5 "
        "LIMIT:0.7 UPDATE:1 SET:1 DELETE:1 select:1.3 from:0.3 where:0.7 join:0.8 group:0.4 "
        "order:0.4 count:0.3"
    ),
    "css": (
        "margin:2 padding:2 color:1.5 display:1.5 font:1.5 background:1.5 px:1 rem:1 @media:3 "
        "hover:1.5 flex:1 border:1.2 body:0.7 solid:1 width:1 height:0.7 auto:0.5 size:0.5"
    ),
    "elixir": (
        "defmodule:4 def:0.7 do:1 end:1 defp:3 |> when:0.5 @moduledoc:3 @doc:2 fn:0.7 -> %{ "
        "use:0.5 alias:1.5"
    ),
    "dart": (
        "Widget:2.5 BuildContext:3 StatelessWidget:3 final:1 @override:2 required:1.2 super:0.7 "
        "Future:1.2 void:0.4 const:0.4 extends:0.7 String:0.3 import:0.3 => build:0.7 class:0.3 "
        "late:2"
    ),
    "dockerfile": ("FROM:2 RUN:3 COPY:2.5 CMD:3 WORKDIR:3 ENTRYPOINT:3 EXPOSE:3 ENV:2 ARG:1"),
    "protobuf": (
        "syntax:1.5 message:1.5 proto3:3 rpc:3 repeated:2.5 service:1 returns:1.2 package:0.5 "
        "option:1.5 optional:1 int32:2 int64:2 string:0.3 enum:0.3 import:0.2"
    ),
    "hcl": ("terraform:2 required_providers:3 resource:0.9 provider:0.9 variable:0.5 tags:0.3"),
    "graphql": (
        "mutation:3 edges:1.5 fragment:1.5 subscription:1.5 $first:2 $after:2 $input:2 query:0.7 "
        "node:0.3"
    ),
    "vim": (
        "syn:3 hi:1.5 syntax:1.5 let:0.7 endif:2 match:1 keyword:1.5 highlight:2 link:1.5 "
        "if:0.2 exists:1 contained:2.5 region:2 setlocal:3 autocmd:3 set:0.4 def:0.2 "
        "version:0.7 command:0.5 HiLink:3"
    ),
    "make": ("PHONY:4 $(:1.5 all:0.5 clean:1 ?= :=:0.7 $@:2 CC:1 CFLAGS:2 OBJS:2 $<:2 $^:2"),
}
"""Words and signs that speak for a language, with their points (2 where none are given)."""

_LANGUAGES_OF: dict[str, dict[str, float]] = defaultdict(dict)
for _language, _row in _SIGNS.items():
    for _sign in _row.split():
        _word, _, _weight = (
            _sign.rpartition(":") if re.search(r":[\d.]+$", _sign) else (_sign, "", "2")
        )
        _LANGUAGES_OF[_word][_language] = float(_weight)

_LEAST = 2.0
"""Points that a language needs to be named."""


def guess_language(code: str) -> str | None:
    """Return the programming language of ``code``, None when little speaks for any.

    Example:
        >>> guess_language("let mut n: u32 = 0; println!(n);"), guess_language("x = 1")
        ('rust', None)
    """
    return _guessed(code[:_SAMPLE])


@lru_cache(maxsize=256)
def _guessed(code: str) -> str | None:
    votes: Counter[str] = Counter()
    for token, number in Counter(_TOKEN.findall(code)).items():
        for language, weight in _LANGUAGES_OF.get(token, {}).items():
            votes[language] += weight * min(number, 3) ** 0.5
    if not votes:
        return None
    language, points = max(votes.items(), key=lambda vote: vote[1])
    return language if points >= _LEAST else None
