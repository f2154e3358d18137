"""Posts a task, waits for the result, and pays. python poster.py [address of a node]"""

import sys

from vws import TOKEN, Client, Key
from vws.errors import AlreadyRegistered

client = Client(*sys.argv[1:], key=Key.load_or_create("poster.key"), spool="poster.spool")
try:
    client.agents.register(display_name="Poster")
except AlreadyRegistered:
    pass

task = client.tasks.create(
    title="Count the words",
    description="How many words has the description of this task?",
    category="counting",
    budget=2 * TOKEN,
    idempotency_key="first-task",  # Run again after a crash, this posts nothing twice.
)
client.wait_for_task(task.id, "submitted", "completed")
print(client.tasks.result(task.id).result_content)
done = client.tasks.approve(task.id, idempotency_key="first-approval")
print(done.status, done.worker_net_payout)
