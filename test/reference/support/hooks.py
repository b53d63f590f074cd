import json
import os
import re
import uuid

import schemathesis

KEY = "Idempotency-Key"
VALID = re.compile(r"[\x21-\x7e]{1,255}\Z")
CALLER = os.environ["REFERENCE_CALLER"]
# By operation, the token of another caller. It is not set in the configuration: a sequence would use the headers of its first operation
# until its end.
OTHERS = json.loads(os.environ["REFERENCE_OTHERS"])


@schemathesis.hook
def before_call(context, case, kwargs):
    # With a single key for all cases made from one example, nearly all of them would get a conflict.
    if VALID.match(str(case.headers.get(KEY, ""))):
        case.headers[KEY] = str(uuid.uuid4())
    other = OTHERS.get(case.operation.definition.raw.get("operationId"))
    if other and case.headers.get("Authorization") == f"Bearer {CALLER}":
        case.headers["Authorization"] = f"Bearer {other}"
