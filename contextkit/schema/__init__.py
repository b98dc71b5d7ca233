"""The chat message as the wire has it: strict models, and `validate`.

A model takes what an OpenAI-compatible server takes and refuses the rest where it is written: no
number becomes a text, no object becomes a JSON string. Keys that the format does not know are the
provider's own (``reasoning_content``, ``prefix``, ``cache_control`` ...) and survive.
``model_dump`` gives the payload: what was said, and nothing that was not.

The shape of each message is checked here; the order of messages is checked by `contextkit.check`.

Sources: the OpenAI API reference (chat completions), Mistral's and Qwen's for ``document_url`` and
``video_url``; every chat request recorded with an answer in the real data of the tests is valid.
"""

from contextkit.schema.messages import (
    Assistant,
    AudioAnswer,
    CustomCall,
    CustomToolCall,
    Developer,
    Function,
    FunctionCall,
    Message,
    System,
    Tool,
    ToolCall,
    User,
)
from contextkit.schema.parts import (
    AudioPart,
    DocumentPart,
    FilePart,
    ImagePart,
    ImageURL,
    InputAudio,
    InputFile,
    RefusalPart,
    TextPart,
    ThinkingPart,
    VideoPart,
    VideoURL,
    WireModel,
)
from contextkit.schema.validation import Fault, validate

__all__ = [
    "Assistant",
    "AudioAnswer",
    "AudioPart",
    "CustomCall",
    "CustomToolCall",
    "Developer",
    "DocumentPart",
    "Fault",
    "FilePart",
    "Function",
    "FunctionCall",
    "ImagePart",
    "ImageURL",
    "InputAudio",
    "InputFile",
    "Message",
    "RefusalPart",
    "System",
    "TextPart",
    "ThinkingPart",
    "Tool",
    "ToolCall",
    "User",
    "VideoPart",
    "VideoURL",
    "WireModel",
    "validate",
]
