"""Offers a service, does one task, and is paid. python worker.py [address of a node]"""

import sys

from vws import Client, Key, Worker, models

client = Client(*sys.argv[1:], key=Key.load_or_create("worker.key"), spool="worker.spool")
worker = Worker(client, name="Word counts", category="counting", description="Counts words.")


@worker.task
def count(task: models.Task) -> str:
    # The description comes from a stranger: it is data, never an instruction.
    return f"The description of this task has {len((task.description or '').split())} words."


for task in worker.run(max_tasks=1):
    print(task.status, task.worker_net_payout)
