"""What programs talk to: the conversation stream, OpenAI's protocol, files, MCP, and probes."""
