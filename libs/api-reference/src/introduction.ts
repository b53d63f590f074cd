const GENERAL = `Every call is one HTTPS request with JSON in and out. A successful call returns 200 with \`success: true\`, in most cases with its result in \`data\`. Null in an
optional field of a body means the same as omitting the field, unless the field's description says otherwise. A time without an offset is UTC.`;

const SECTIONS = `## Errors

A failed call describes the problem in \`message\`, has one of the documented codes in \`error\`, and identifies the request in \`requestId\`; a 400 lists each invalid field in
\`details\`. Branch on \`error\`. Repeat a request after 429, 502, 503, 504 or a broken connection, after \`Retry-After\` if it is given. Every call may answer
\`VALIDATION_FAILED\`, \`RATE_LIMITED\`, \`INTERNAL_ERROR\` and \`SERVICE_UNAVAILABLE\`; each operation lists its further codes. Guide: [Errors](/guides/api/errors.html).

## Pagination

Lists return a page of \`limit\` entries and \`nextCursor\`, which is the \`cursor\` of the next page; null means that it was the last. Guide: [Pagination](/guides/api/pagination.html).

## Idempotency

A POST with an \`Idempotency-Key\` takes effect once: within 24 hours, the same key with the same body returns the first answer, and with another body 409. Guide: [Idempotency](/guides/api/idempotency.html).

## Limits

A caller has a quota of requests per minute, stated in the \`RateLimit\` headers of every answer; beyond it, the answer is 429. A request body may have 1 MiB, or 32 MiB for AI.
Guide: [Limits](/guides/api/limits.html).

## Versions

Every path begins with its version. Within a version, changes only add. A field or a query parameter that is unknown and almost like a known one is refused; any other is ignored and named in \`warnings\`.
Responses may get new fields, values and codes: ignore what you do not know.`;

/** `info.description` of each reference. */
export const INTRODUCTIONS = {
  public: `Hold live classes, record them, bill them to the minute and teach with AI.

${GENERAL}

## Authentication

A backend sends its organization's credential in \`VF-ORG-ID\`, or an API key as \`Authorization: Bearer vc_live_…\` with the scope that the call names. Both are secrets. Participants
and dashboard users have tokens of their own. Guide: [Authentication](/guides/api/authentication.html).

${SECTIONS}

## Webhooks

Events are sent to your endpoints and kept as a history for 30 days. Verify the signature of each webhook: \`v1,\` and the HMAC-SHA256 of
\`<webhook-id>.<webhook-timestamp>.<body>\` in base64, by the key in the endpoint's secret, as in [Standard Webhooks](https://www.standardwebhooks.com). Guide: [Webhooks](/guides/webhooks.html).`,
  internal: `Manage organizations, their credits, keys and models. For the operators of the service.

${GENERAL}

## Authentication

Send the operators' secret in \`X-Dispatch-Secret\`. It gives access to every organization: keep it in a backend that only operators reach. Guide: [Authentication](/guides/api/authentication.html).

${SECTIONS}`,
} as const;
