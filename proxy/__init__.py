"""Groundwire: a streaming chat-completions proxy that checks what an answer claims against what the tools did."""
