"""Adds a line to today's daily note, and prints the tasks that are due.

Start it with the address of a link:

    scriptorium links add --space my-space.sqlite
    MCP_URL=http://127.0.0.1:4810/links/SECRET/mcp python3 daily_line.py "Parser merged"

The tests of Scriptorium compile this file with Debian's python3. They do not run it, because the SDK is not a package
of Debian.
"""

import asyncio
import json
import os
import sys

from mcp import ClientSession
from mcp.client.streamable_http import streamable_http_client
from mcp.types import TextContent


async def call(session: ClientSession, name: str, arguments: dict) -> dict:
    """Calls a tool. Its answer is JSON if it is asked for; an error says what to do next."""
    result = await session.call_tool(name, arguments)
    text = "\n".join(part.text for part in result.content if isinstance(part, TextContent))
    if result.isError:
        raise RuntimeError(text)
    return json.loads(text)


async def main(line: str) -> None:
    async with streamable_http_client(os.environ["MCP_URL"]) as (read, write, _):
        async with ClientSession(read, write) as session:
            await session.initialize()
            position = {"position": "end", "date": "today"}
            added = await call(session, "blocks_add", {"markdown": line, "position": position})
            print("Added to the note of", added["dailyNoteDate"])
            listed = await call(session, "tasks_list", {"scope": "active", "format": "json"})
            for task in listed["items"]:
                print(task["markdown"])


if __name__ == "__main__":
    asyncio.run(main(" ".join(sys.argv[1:]) or "Hello from Python"))
