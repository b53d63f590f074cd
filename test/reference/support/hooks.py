import json
import os
import re
import uuid

import schemathesis

KEY = "Idempotency-Key"
VALID = re.compile(r"[\x21-\x7e]{1,255}\Z")
CALLER = os.environ["REFERENCE_CALLER"]
# By operation, who makes it in the caller's place. Not by its configuration: a sequence would keep the first one's headers to its end.
OTHERS = json.loads(os.environ["REFERENCE_OTHERS"])


@schemathesis.hook
def before_call(context, case, kwargs):
    # One key for all the cases that are made of an example would answer nearly all of them with a conflict.
    if VALID.match(str(case.headers.get(KEY, ""))):
        case.headers[KEY] = str(uuid.uuid4())
    other = OTHERS.get(case.operation.definition.raw.get("operationId"))
    if other and case.headers.get("Authorization") == f"Bearer {CALLER}":
        case.headers["Authorization"] = f"Bearer {other}"
