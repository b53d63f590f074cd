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
# The same for what ends the sessions of a whole school.
SCHOOL = os.environ["REFERENCE_SCHOOL"]
SCHOOLS = json.loads(os.environ["REFERENCE_SCHOOLS"])


@schemathesis.hook
def before_call(context, case, kwargs):
    # With a single key for all cases made from one example, nearly all of them would get a conflict.
    if VALID.match(str(case.headers.get(KEY, ""))):
        case.headers[KEY] = str(uuid.uuid4())
    operation = case.operation.definition.raw.get("operationId")
    other = OTHERS.get(operation)
    if other and case.headers.get("Authorization") == f"Bearer {CALLER}":
        case.headers["Authorization"] = f"Bearer {other}"
    if operation in SCHOOLS and case.headers.get("VF-ORG-ID") == SCHOOL:
        case.headers["VF-ORG-ID"] = SCHOOLS[operation]
