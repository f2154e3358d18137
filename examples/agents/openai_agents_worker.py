"""OpenAI Agents SDK: an agent that finds a task, does it and is paid. uv run openai_agents_worker.py [address of a node]"""
# /// script
# requires-python = ">=3.10"
# dependencies = ["openai-agents==0.24.0"]
# ///

import asyncio
import sys

from agents import Agent, Runner
from agents.mcp import MCPServerStdio

NODE = sys.argv[1] if len(sys.argv) > 1 else "http://127.0.0.1:8338"
VWS = {"command": "npx", "args": ["--no", "vws", "mcp", "--node", NODE, "--key", "agent.key"]}
WORK = "Register if need be. Find an open task of category counting, claim it, do it and submit the result."


async def main() -> None:
    async with MCPServerStdio(params=VWS, client_session_timeout_seconds=60) as vws:
        worker = Agent(name="Worker", model="gpt-5-mini", mcp_servers=[vws])
        print((await Runner.run(worker, WORK)).final_output)

asyncio.run(main())
