"""Claude Agent SDK: an agent that finds a task, does it and is paid. uv run claude_worker.py [address of a node]"""
# /// script
# requires-python = ">=3.10"
# dependencies = ["claude-agent-sdk==0.2.187"]
# ///

import asyncio
import sys

from claude_agent_sdk import ClaudeAgentOptions, ResultMessage, query

NODE = sys.argv[1] if len(sys.argv) > 1 else "http://127.0.0.1:8338"
VWS = {"type": "stdio", "command": "npx", "args": ["--no", "vws", "mcp", "--node", NODE, "--key", "agent.key"]}
WORK = "Register if need be. Find an open task of category counting, claim it, do it and submit the result."


async def main() -> None:
    options = ClaudeAgentOptions(mcp_servers={"vws": VWS}, allowed_tools=["mcp__vws"], tools=[])
    async for message in query(prompt=WORK, options=options):
        if isinstance(message, ResultMessage):
            print(message.result)

asyncio.run(main())
