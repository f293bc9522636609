"""Adds a line to today's daily note, and prints the tasks that are due.

Start it with the MCP address of a link:

    scriptorium links add --space my-space.sqlite
    MCP_URL=http://127.0.0.1:4810/links/SECRET/mcp python3 daily_line.py "Parser merged"

The tests of Scriptorium compile this file with Debian's python3, but do not run it, because the SDK is not a Debian
package. It was last run with version 2.3.0 of the SDK.
"""

import asyncio
import json
import os
import sys

from mcp import Client
from mcp.types import TextContent


async def call(client: Client, name: str, arguments: dict) -> dict:
    """Calls a tool, prints its notes, and returns its JSON. An error says what to do next."""
    result = await client.call_tool(name, arguments)
    texts = [part.text for part in result.content if isinstance(part, TextContent)]
    if result.is_error:
        raise RuntimeError("\n".join(texts))
    # What follows the JSON is for whoever reads along, such as that a proposal waits for approval.
    answer, *notes = texts
    for note in notes:
        print(note)
    return json.loads(answer)


async def main(url: str, line: str) -> None:
    async with Client(url) as client:
        position = {"position": "end", "date": "today"}
        added = await call(client, "blocks_add", {"markdown": line, "position": position})
        print("Added to the note of", added["dailyNoteDate"])
        listed = await call(client, "tasks_list", {"scope": "active", "format": "json"})
        for task in listed["items"]:
            print(task["markdown"])


if __name__ == "__main__":
    if "MCP_URL" not in os.environ:
        sys.exit("Expected the MCP address of a link in MCP_URL, found none.")
    asyncio.run(main(os.environ["MCP_URL"], " ".join(sys.argv[1:]) or "Hello from Python"))
