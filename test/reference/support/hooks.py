import difflib
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


def names_in(schema):
    if isinstance(schema, list):
        return {name for part in schema for name in names_in(part)}
    if not isinstance(schema, dict):
        return set()
    return set(schema.get("properties", {})) | {name for part in schema.values() for name in names_in(part)}


def without_misspelled(value, names):
    if isinstance(value, list):
        return [without_misspelled(part, names) for part in value]
    if not isinstance(value, dict):
        return value
    return {
        name: without_misspelled(part, names)
        for name, part in value.items()
        if name in names or not difflib.get_close_matches(name.lower(), [known.lower() for known in names], cutoff=0.4)
    }


@schemathesis.hook
def map_body(context, body):
    # An unknown field whose name resembles a known one is refused, and no schema says so.
    content = context.operation.definition.raw.get("requestBody", {}).get("content", {})
    return without_misspelled(body, names_in(content.get("application/json", {}).get("schema", {})))


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
