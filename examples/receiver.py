"""A receiver of webhooks: `KIFU_WEBHOOK_SECRET=whsec_… flask --app receiver run --port 5000`."""

import os
import sqlite3
from contextlib import closing

from flask import Flask, abort, request
from standardwebhooks import Webhook, WebhookVerificationError

app = Flask(__name__)
webhook = Webhook(os.environ["KIFU_WEBHOOK_SECRET"])
database = os.environ.get("RECEIVER_DATABASE", "received.db")


@app.post("/kifu")
def receive() -> tuple[str, int]:
    """Take a message, once, however often it comes."""
    try:
        message = webhook.verify(request.get_data(), dict(request.headers))
    except WebhookVerificationError as error:
        abort(400, str(error))
    with closing(sqlite3.connect(database)) as db, db:
        db.execute("create table if not exists received (id text primary key, type text, game text, version integer)")
        data = message["data"]
        row = (request.headers["webhook-id"], message["type"], data.get("game") or data.get("record"), data.get("to"))
        new = db.execute("insert or ignore into received values (?, ?, ?, ?)", row).rowcount
    if new:
        app.logger.warning("%s: %s", message["type"], data["url"])  # here the work would begin
    return "", 204
