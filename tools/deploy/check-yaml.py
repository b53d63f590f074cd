"""Reads YAML from stdin and prints {"documents": [...], "errors": [...]}.

With versions as arguments each document is checked strictly against the schemas of these versions of Kubernetes; kinds
that a cluster learns from its operators against <folder of schemas>/<kind in lower case>.json.
"""
import json
import os
import sys

import yaml

# The parser in C reads a rendered chart many times faster.
Loader = getattr(yaml, 'CSafeLoader', yaml.SafeLoader)


class NoDoubleKeys(Loader):
    """Of two equal keys YAML's reader would drop one without a word."""


def construct(loader, node):
    # Checked before merge keys are expanded: overriding a merged key is allowed.
    seen = set()
    for key_node in (it for it, _ in node.value if it.tag != 'tag:yaml.org,2002:merge'):
        key = loader.construct_object(key_node, deep=True)
        if key in seen:
            raise yaml.constructor.ConstructorError(None, None, f'{key} stands twice', key_node.start_mark)
        seen.add(key)
    return Loader.construct_mapping(loader, node, deep=True)


NoDoubleKeys.add_constructor(yaml.resolver.BaseResolver.DEFAULT_MAPPING_TAG, construct)


def check(document, versions, schemas):
    # Imported here, because most callers only read.
    import jsonschema
    import kubernetes_validate

    own = os.path.join(schemas, document['kind'].lower() + '.json') if schemas else ''
    if os.path.exists(own):
        with open(own, encoding='utf-8') as file:
            jsonschema.validate(document, json.load(file))
        return
    for version in versions:
        kubernetes_validate.validate(document, version, strict=True)


def name_of(document):
    return f"{document.get('kind')}/{document.get('metadata', {}).get('name')}"


def main(schemas, versions):
    documents, errors = [], []
    try:
        documents = [it for it in yaml.load_all(sys.stdin, Loader=NoDoubleKeys) if it is not None]
    except yaml.YAMLError as error:
        errors.append(str(error))
    for document in documents if versions else []:
        try:
            check(document, versions, schemas)
        except Exception as error:  # each of the three libraries raises its own exceptions
            errors.append(f"{name_of(document)}: {getattr(error, 'message', None) or error}")
    json.dump({'documents': documents, 'errors': errors}, sys.stdout, default=str)


main(sys.argv[1] if len(sys.argv) > 1 else '', sys.argv[2:])
