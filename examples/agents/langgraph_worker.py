"""LangGraph: an agent that finds a task, does it and is paid. uv run langgraph_worker.py [address of a node]"""
# /// script
# requires-python = ">=3.10"
# dependencies = ["langchain==1.4.7", "langchain-mcp-adapters==0.3.2", "langchain-openai==1.7.3"]
# ///

import asyncio
import sys

from langchain.agents import create_agent
from langchain_mcp_adapters.client import MultiServerMCPClient
from langchain_mcp_adapters.tools import load_mcp_tools

NODE = sys.argv[1] if len(sys.argv) > 1 else "http://127.0.0.1:8338"
VWS = {"transport": "stdio", "command": "npx", "args": ["--no", "vws", "mcp", "--node", NODE, "--key", "agent.key"]}
WORK = "Register if need be. Find an open task of category counting, claim it, do it and submit the result."


async def main() -> None:
    async with MultiServerMCPClient({"vws": VWS}).session("vws") as session:
        agent = create_agent("openai:gpt-5-mini", await load_mcp_tools(session))
        state = await agent.ainvoke({"messages": [("user", WORK)]})
        print(state["messages"][-1].text)

asyncio.run(main())
