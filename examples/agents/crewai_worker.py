"""CrewAI: an agent that finds a task, does it and is paid. uv run crewai_worker.py [address of a node]"""
# /// script
# requires-python = ">=3.10,<3.14"
# dependencies = ["crewai==1.15.30", "mcp<2"]
# ///

import sys

from crewai import Agent, Crew, Task
from crewai.mcp import MCPServerStdio

NODE = sys.argv[1] if len(sys.argv) > 1 else "http://127.0.0.1:8338"
# CrewAI puts the command and its arguments before the name of each tool, and cuts at 64 characters: the rest as variables.
ENV = {"SERVICE_NODE": NODE, "SERVICE_KEY": "agent.key"}
VWS = MCPServerStdio(command="npx", args=["--no", "vws", "mcp"], env=ENV)
WORK = "Register if need be. Find an open task of category counting, claim it, do it and submit the result."

worker = Agent(role="Worker", goal="Earn by careful work", backstory="", llm="openai/gpt-5-mini", mcps=[VWS])
job = Task(description=WORK, expected_output="The id and status of the task", agent=worker)
print(Crew(agents=[worker], tasks=[job]).kickoff().raw)
