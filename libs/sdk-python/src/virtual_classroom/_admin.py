# Written by `npm run generate -- reference` from the contracts.
"""The methods of the clients."""

from __future__ import annotations

from typing import Unpack, cast

from . import types
from ._pages import AsyncPages, Pages, with_cursor
from ._request import RequestOptions
from ._transport import AsyncTransport, Transport


class Organizations:
    def __init__(self, api: Transport) -> None:
        self._api = api

    def create(self, body: types.CreateOrganizationBody, **options: Unpack[RequestOptions]) -> types.CreatedOrganization:
        """Creates an organization."""
        return cast(types.CreatedOrganization, self._api.call("POST", "/v1/admin/organizations", body=body, options=options))

    def list(self, query: types.ListOrganizationsQuery | None = None, **options: Unpack[RequestOptions]) -> Pages[types.ListOrganizationsData, types.Organization]:
        """Returns the organizations, newest first."""

        def fetch(cursor: str | None) -> types.ListOrganizationsData:
            return cast(types.ListOrganizationsData, self._api.call("GET", "/v1/admin/organizations", query=with_cursor(query, cursor), options=options))

        return Pages(fetch, lambda page: page["organizations"], lambda page: page["pagination"].get("nextCursor"))

    def get(self, organization_id: str, **options: Unpack[RequestOptions]) -> types.Organization:
        """Returns an organization."""
        return cast(types.Organization, self._api.call("GET", "/v1/admin/organizations/{organizationId}", params={"organizationId": organization_id}, options=options))

    def update(self, organization_id: str, body: types.UpdateOrganizationBody, **options: Unpack[RequestOptions]) -> types.Organization:
        """Changes an organization. Omitted fields stay as they are."""
        return cast(types.Organization, self._api.call("PATCH", "/v1/admin/organizations/{organizationId}", params={"organizationId": organization_id}, body=body, options=options))

    def delete(self, organization_id: str, **options: Unpack[RequestOptions]) -> types.Erasure:
        """Closes an organization, and erases everything of it except its ledger at `beginsAt`, as `POST /v1/privacy/erasures` with `organization` does. Until then it can be cancelled. A repeated call returns the same erasure."""
        return cast(types.Erasure, self._api.call("DELETE", "/v1/admin/organizations/{organizationId}", params={"organizationId": organization_id}, options=options))

    def set_logo(self, organization_id: str, body: types.SetLogoForOrganizationBody, **options: Unpack[RequestOptions]) -> types.SetLogoForOrganizationData:
        """Uploads the logo of an organization, in place of the present one."""
        return cast(types.SetLogoForOrganizationData, self._api.call("PUT", "/v1/admin/organizations/{organizationId}/logo", params={"organizationId": organization_id}, body=body, options=options))

    def delete_logo(self, organization_id: str, **options: Unpack[RequestOptions]) -> types.DeleteLogoForOrganizationData:
        """Removes the logo of an organization, uploaded or not."""
        return cast(types.DeleteLogoForOrganizationData, self._api.call("DELETE", "/v1/admin/organizations/{organizationId}/logo", params={"organizationId": organization_id}, options=options))

    def erasure(self, organization_id: str, **options: Unpack[RequestOptions]) -> types.Erasure:
        """Returns the erasure of a deleted organization, also after its row is gone, with the receipt when it is completed."""
        return cast(types.Erasure, self._api.call("GET", "/v1/admin/organizations/{organizationId}/erasure", params={"organizationId": organization_id}, options=options))

    def cancel_erasure(self, organization_id: str, **options: Unpack[RequestOptions]) -> types.CancelledErasure:
        """Cancels the erasure of an organization before its `beginsAt`, and opens the organization again."""
        return cast(types.CancelledErasure, self._api.call("DELETE", "/v1/admin/organizations/{organizationId}/erasure", params={"organizationId": organization_id}, options=options))


class JoinHooks:
    def __init__(self, api: Transport) -> None:
        self._api = api

    def set(self, organization_id: str, body: types.SetJoinHookBody, **options: Unpack[RequestOptions]) -> types.JoinHookWithSecret:
        """Has the organization’s backend asked, with a signed request, before each participant joins. A hook that is changed keeps its secret; delete it first for a new one."""
        return cast(types.JoinHookWithSecret, self._api.call("PUT", "/v1/admin/organizations/{organizationId}/join-hook", params={"organizationId": organization_id}, body=body, options=options))

    def delete(self, organization_id: str, **options: Unpack[RequestOptions]) -> types.DeleteJoinHookData:
        """Participants join without a question again."""
        return cast(types.DeleteJoinHookData, self._api.call("DELETE", "/v1/admin/organizations/{organizationId}/join-hook", params={"organizationId": organization_id}, options=options))


class Domains:
    def __init__(self, api: Transport) -> None:
        self._api = api

    def add(self, organization_id: str, body: types.AddDomainBody, **options: Unpack[RequestOptions]) -> types.Domain:
        """Adds a domain whose pages may embed classes once its owner has set the TXT record of the answer. The record is looked for on request, and every quarter of an hour for three days, then every day for thirty."""
        return cast(types.Domain, self._api.call("POST", "/v1/admin/organizations/{organizationId}/domains", params={"organizationId": organization_id}, body=body, options=options))

    def list(self, organization_id: str, **options: Unpack[RequestOptions]) -> types.ListDomainsForOrganizationData:
        """Returns the verified domains, and those whose proof is awaited."""
        return cast(types.ListDomainsForOrganizationData, self._api.call("GET", "/v1/admin/organizations/{organizationId}/domains", params={"organizationId": organization_id}, options=options))

    def check(self, organization_id: str, domain: str, **options: Unpack[RequestOptions]) -> types.Domain:
        """Looks for the TXT record of a domain now, and verifies the domain if it is there."""
        return cast(types.Domain, self._api.call("POST", "/v1/admin/organizations/{organizationId}/domains/{domain}/check", params={"organizationId": organization_id, "domain": domain}, options=options))

    def remove(self, organization_id: str, domain: str, **options: Unpack[RequestOptions]) -> types.RemoveDomainData:
        """Removes a domain: pages on it can no longer embed classes."""
        return cast(types.RemoveDomainData, self._api.call("DELETE", "/v1/admin/organizations/{organizationId}/domains/{domain}", params={"organizationId": organization_id, "domain": domain}, options=options))


class Credits:
    def __init__(self, api: Transport) -> None:
        self._api = api

    def add(self, organization_id: str, body: types.PostCreditsBody, **options: Unpack[RequestOptions]) -> types.PostedCredits:
        """Tops up an organization, or corrects its balance by a negative amount. A repeated reference counts once."""
        return cast(types.PostedCredits, self._api.call("POST", "/v1/admin/organizations/{organizationId}/credits", params={"organizationId": organization_id}, body=body, options=options))

    def balance(self, organization_id: str, **options: Unpack[RequestOptions]) -> types.Balance:
        """Returns the remaining credits (prepaid) or the credits used in this cycle (postpaid)."""
        return cast(types.Balance, self._api.call("GET", "/v1/admin/organizations/{organizationId}/balance", params={"organizationId": organization_id}, options=options))


class Ledger:
    def __init__(self, api: Transport) -> None:
        self._api = api

    def list(self, organization_id: str, query: types.ListLedgerForOrganizationQuery | None = None, **options: Unpack[RequestOptions]) -> Pages[types.ListLedgerForOrganizationData, types.LedgerEntry]:
        """Returns every entry behind the balance, newest first."""

        def fetch(cursor: str | None) -> types.ListLedgerForOrganizationData:
            return cast(types.ListLedgerForOrganizationData, self._api.call("GET", "/v1/admin/organizations/{organizationId}/ledger", params={"organizationId": organization_id}, query=with_cursor(query, cursor), options=options))

        return Pages(fetch, lambda page: page["entries"], lambda page: page["pagination"].get("nextCursor"))

    def explain(self, organization_id: str, entry_id: str, **options: Unpack[RequestOptions]) -> types.ExplainedEntry:
        """Returns the sessions or the AI usage behind a charge and computes the charge again."""
        return cast(types.ExplainedEntry, self._api.call("GET", "/v1/admin/organizations/{organizationId}/ledger/{entryId}/explain", params={"organizationId": organization_id, "entryId": entry_id}, options=options))


class Statements:
    def __init__(self, api: Transport) -> None:
        self._api = api

    def list(self, organization_id: str, **options: Unpack[RequestOptions]) -> types.ListStatementsForOrganizationData:
        """Returns the closed postpaid cycles, newest first."""
        return cast(types.ListStatementsForOrganizationData, self._api.call("GET", "/v1/admin/organizations/{organizationId}/statements", params={"organizationId": organization_id}, options=options))

    def pdf(self, organization_id: str, statement_id: str, query: types.GetStatementPdfForOrganizationQuery | None = None, **options: Unpack[RequestOptions]) -> bytes:
        """Returns a statement as a PDF file: totals by kind, and a line for each class."""
        return self._api.pdf("GET", "/v1/admin/organizations/{organizationId}/statements/{statementId}/pdf", params={"organizationId": organization_id, "statementId": statement_id}, query=query, options=options)


class Credentials:
    def __init__(self, api: Transport) -> None:
        self._api = api

    def create(self, organization_id: str, body: types.CreateCredentialForOrganizationBody | None = None, **options: Unpack[RequestOptions]) -> types.CredentialWithValue:
        """Creates a further value for `VF-ORG-ID`. Only this response contains it. An API key cannot create credentials."""
        return cast(types.CredentialWithValue, self._api.call("POST", "/v1/admin/organizations/{organizationId}/credentials", params={"organizationId": organization_id}, body=body or {}, options=options))

    def list(self, organization_id: str, **options: Unpack[RequestOptions]) -> types.ListCredentialsForOrganizationData:
        """Returns the organization’s credentials for `VF-ORG-ID`, oldest first, without their values."""
        return cast(types.ListCredentialsForOrganizationData, self._api.call("GET", "/v1/admin/organizations/{organizationId}/credentials", params={"organizationId": organization_id}, options=options))

    def revoke(self, organization_id: str, credential_id: str, **options: Unpack[RequestOptions]) -> types.RevokedCredential:
        """Revokes a credential of an organization immediately. After the last one, only API keys are accepted."""
        return cast(types.RevokedCredential, self._api.call("DELETE", "/v1/admin/organizations/{organizationId}/credentials/{credentialId}", params={"organizationId": organization_id, "credentialId": credential_id}, options=options))


class ApiKeys:
    def __init__(self, api: Transport) -> None:
        self._api = api

    def create(self, organization_id: str, body: types.CreateApiKeyForOrganizationBody, **options: Unpack[RequestOptions]) -> types.ApiKeyWithSecret:
        """Creates an API key. Only this response contains its secret. A key can grant no more scopes than it has itself."""
        return cast(types.ApiKeyWithSecret, self._api.call("POST", "/v1/admin/organizations/{organizationId}/api-keys", params={"organizationId": organization_id}, body=body, options=options))

    def list(self, organization_id: str, **options: Unpack[RequestOptions]) -> types.ListApiKeysForOrganizationData:
        """Returns the organization’s API keys, oldest first."""
        return cast(types.ListApiKeysForOrganizationData, self._api.call("GET", "/v1/admin/organizations/{organizationId}/api-keys", params={"organizationId": organization_id}, options=options))

    def revoke(self, organization_id: str, key_id: str, query: types.RevokeApiKeyForOrganizationQuery | None = None, **options: Unpack[RequestOptions]) -> types.RevokedApiKey:
        """Revokes an API key with all its secrets immediately, and the keys that it created, directly or through another one."""
        return cast(types.RevokedApiKey, self._api.call("DELETE", "/v1/admin/organizations/{organizationId}/api-keys/{keyId}", params={"organizationId": organization_id, "keyId": key_id}, query=query, options=options))


class DashboardTokens:
    def __init__(self, api: Transport) -> None:
        self._api = api

    def create(self, organization_id: str, body: types.IssueDashboardTokenForOrganizationBody, **options: Unpack[RequestOptions]) -> types.IssueDashboardTokenForOrganizationData:
        """Creates a token for one person of the organization’s staff and its dashboard, for a link to the console. That of an API key expires no later than the key."""
        return cast(types.IssueDashboardTokenForOrganizationData, self._api.call("POST", "/v1/admin/organizations/{organizationId}/dashboard-tokens", params={"organizationId": organization_id}, body=body, options=options))

    def revoke(self, organization_id: str, **options: Unpack[RequestOptions]) -> types.RevokedDashboardTokens:
        """Revokes all dashboard tokens of the organization immediately. Tokens created afterwards are valid."""
        return cast(types.RevokedDashboardTokens, self._api.call("DELETE", "/v1/admin/organizations/{organizationId}/dashboard-tokens", params={"organizationId": organization_id}, options=options))

    def end_session(self, organization_id: str, session_id: str, **options: Unpack[RequestOptions]) -> types.EndedDashboardSession:
        """Ends a dashboard session of the organization immediately: its token is no longer valid. With a dashboard token, everyone may end their own session, and an OWNER each."""
        return cast(types.EndedDashboardSession, self._api.call("DELETE", "/v1/admin/organizations/{organizationId}/dashboard-sessions/{sessionId}", params={"organizationId": organization_id, "sessionId": session_id}, options=options))


class AiSettings:
    def __init__(self, api: Transport) -> None:
        self._api = api

    def get(self, organization_id: str, **options: Unpack[RequestOptions]) -> types.AiSettings:
        """Returns the organization’s own models and prices; null where the installation’s settings apply."""
        return cast(types.AiSettings, self._api.call("GET", "/v1/admin/organizations/{organizationId}/ai", params={"organizationId": organization_id}, options=options))

    def update(self, organization_id: str, body: types.UpdateAiSettingsBody, **options: Unpack[RequestOptions]) -> types.AiSettings:
        """Changes the organization’s own models and prices."""
        return cast(types.AiSettings, self._api.call("PATCH", "/v1/admin/organizations/{organizationId}/ai", params={"organizationId": organization_id}, body=body, options=options))


class Audit:
    def __init__(self, api: Transport) -> None:
        self._api = api

    def list(self, query: types.ListAuditOfAllQuery | None = None, **options: Unpack[RequestOptions]) -> Pages[types.ListAuditOfAllData, types.OperatorsAuditEntry]:
        """Returns the entries of all organizations and of the operators, newest first."""

        def fetch(cursor: str | None) -> types.ListAuditOfAllData:
            return cast(types.ListAuditOfAllData, self._api.call("GET", "/v1/admin/audit", query=with_cursor(query, cursor), options=options))

        return Pages(fetch, lambda page: page["entries"], lambda page: page["pagination"].get("nextCursor"))


class System:
    def __init__(self, api: Transport) -> None:
        self._api = api

    def get(self, **options: Unpack[RequestOptions]) -> types.System:
        """Asks all processes for their version, their queues and consumers, and recorders for their slots."""
        return cast(types.System, self._api.call("GET", "/v1/admin/system", options=options))


class DeadLetters:
    def __init__(self, api: Transport) -> None:
        self._api = api

    def list(self, query: types.ListDeadLettersQuery | None = None, **options: Unpack[RequestOptions]) -> Pages[types.ListDeadLettersData, types.DeadLetter]:
        """Returns the messages that consumers gave up, newest first."""

        def fetch(cursor: str | None) -> types.ListDeadLettersData:
            return cast(types.ListDeadLettersData, self._api.call("GET", "/v1/admin/dead-letters", query=with_cursor(query, cursor), options=options))

        return Pages(fetch, lambda page: page["deadLetters"], lambda page: page["pagination"].get("nextCursor"))

    def get(self, dead_letter_id: str, **options: Unpack[RequestOptions]) -> types.DeadLetter:
        """Returns a message that a consumer gave up."""
        return cast(types.DeadLetter, self._api.call("GET", "/v1/admin/dead-letters/{deadLetterId}", params={"deadLetterId": dead_letter_id}, options=options))

    def discard(self, dead_letter_id: str, **options: Unpack[RequestOptions]) -> types.DeadLetter:
        """Deletes the message. This cannot be undone."""
        return cast(types.DeadLetter, self._api.call("DELETE", "/v1/admin/dead-letters/{deadLetterId}", params={"deadLetterId": dead_letter_id}, options=options))

    def replay(self, dead_letter_id: str, **options: Unpack[RequestOptions]) -> types.DeadLetter:
        """Publishes the message again on its subject, and deletes the dead letter. Consumers that have applied it recognize its id and do nothing. If it fails again, it becomes another dead letter."""
        return cast(types.DeadLetter, self._api.call("POST", "/v1/admin/dead-letters/{deadLetterId}/replay", params={"deadLetterId": dead_letter_id}, options=options))


class AdminResources:
    def __init__(self, api: Transport) -> None:
        self._api = api
        self.organizations = Organizations(api)
        self.join_hooks = JoinHooks(api)
        self.domains = Domains(api)
        self.credits = Credits(api)
        self.ledger = Ledger(api)
        self.statements = Statements(api)
        self.credentials = Credentials(api)
        self.api_keys = ApiKeys(api)
        self.dashboard_tokens = DashboardTokens(api)
        self.ai_settings = AiSettings(api)
        self.audit = Audit(api)
        self.system = System(api)
        self.dead_letters = DeadLetters(api)


class AsyncOrganizations:
    def __init__(self, api: AsyncTransport) -> None:
        self._api = api

    async def create(self, body: types.CreateOrganizationBody, **options: Unpack[RequestOptions]) -> types.CreatedOrganization:
        """Creates an organization."""
        return cast(types.CreatedOrganization, await self._api.call("POST", "/v1/admin/organizations", body=body, options=options))

    def list(self, query: types.ListOrganizationsQuery | None = None, **options: Unpack[RequestOptions]) -> AsyncPages[types.ListOrganizationsData, types.Organization]:
        """Returns the organizations, newest first."""

        async def fetch(cursor: str | None) -> types.ListOrganizationsData:
            return cast(types.ListOrganizationsData, await self._api.call("GET", "/v1/admin/organizations", query=with_cursor(query, cursor), options=options))

        return AsyncPages(fetch, lambda page: page["organizations"], lambda page: page["pagination"].get("nextCursor"))

    async def get(self, organization_id: str, **options: Unpack[RequestOptions]) -> types.Organization:
        """Returns an organization."""
        return cast(types.Organization, await self._api.call("GET", "/v1/admin/organizations/{organizationId}", params={"organizationId": organization_id}, options=options))

    async def update(self, organization_id: str, body: types.UpdateOrganizationBody, **options: Unpack[RequestOptions]) -> types.Organization:
        """Changes an organization. Omitted fields stay as they are."""
        return cast(types.Organization, await self._api.call("PATCH", "/v1/admin/organizations/{organizationId}", params={"organizationId": organization_id}, body=body, options=options))

    async def delete(self, organization_id: str, **options: Unpack[RequestOptions]) -> types.Erasure:
        """Closes an organization, and erases everything of it except its ledger at `beginsAt`, as `POST /v1/privacy/erasures` with `organization` does. Until then it can be cancelled. A repeated call returns the same erasure."""
        return cast(types.Erasure, await self._api.call("DELETE", "/v1/admin/organizations/{organizationId}", params={"organizationId": organization_id}, options=options))

    async def set_logo(self, organization_id: str, body: types.SetLogoForOrganizationBody, **options: Unpack[RequestOptions]) -> types.SetLogoForOrganizationData:
        """Uploads the logo of an organization, in place of the present one."""
        return cast(types.SetLogoForOrganizationData, await self._api.call("PUT", "/v1/admin/organizations/{organizationId}/logo", params={"organizationId": organization_id}, body=body, options=options))

    async def delete_logo(self, organization_id: str, **options: Unpack[RequestOptions]) -> types.DeleteLogoForOrganizationData:
        """Removes the logo of an organization, uploaded or not."""
        return cast(types.DeleteLogoForOrganizationData, await self._api.call("DELETE", "/v1/admin/organizations/{organizationId}/logo", params={"organizationId": organization_id}, options=options))

    async def erasure(self, organization_id: str, **options: Unpack[RequestOptions]) -> types.Erasure:
        """Returns the erasure of a deleted organization, also after its row is gone, with the receipt when it is completed."""
        return cast(types.Erasure, await self._api.call("GET", "/v1/admin/organizations/{organizationId}/erasure", params={"organizationId": organization_id}, options=options))

    async def cancel_erasure(self, organization_id: str, **options: Unpack[RequestOptions]) -> types.CancelledErasure:
        """Cancels the erasure of an organization before its `beginsAt`, and opens the organization again."""
        return cast(types.CancelledErasure, await self._api.call("DELETE", "/v1/admin/organizations/{organizationId}/erasure", params={"organizationId": organization_id}, options=options))


class AsyncJoinHooks:
    def __init__(self, api: AsyncTransport) -> None:
        self._api = api

    async def set(self, organization_id: str, body: types.SetJoinHookBody, **options: Unpack[RequestOptions]) -> types.JoinHookWithSecret:
        """Has the organization’s backend asked, with a signed request, before each participant joins. A hook that is changed keeps its secret; delete it first for a new one."""
        return cast(types.JoinHookWithSecret, await self._api.call("PUT", "/v1/admin/organizations/{organizationId}/join-hook", params={"organizationId": organization_id}, body=body, options=options))

    async def delete(self, organization_id: str, **options: Unpack[RequestOptions]) -> types.DeleteJoinHookData:
        """Participants join without a question again."""
        return cast(types.DeleteJoinHookData, await self._api.call("DELETE", "/v1/admin/organizations/{organizationId}/join-hook", params={"organizationId": organization_id}, options=options))


class AsyncDomains:
    def __init__(self, api: AsyncTransport) -> None:
        self._api = api

    async def add(self, organization_id: str, body: types.AddDomainBody, **options: Unpack[RequestOptions]) -> types.Domain:
        """Adds a domain whose pages may embed classes once its owner has set the TXT record of the answer. The record is looked for on request, and every quarter of an hour for three days, then every day for thirty."""
        return cast(types.Domain, await self._api.call("POST", "/v1/admin/organizations/{organizationId}/domains", params={"organizationId": organization_id}, body=body, options=options))

    async def list(self, organization_id: str, **options: Unpack[RequestOptions]) -> types.ListDomainsForOrganizationData:
        """Returns the verified domains, and those whose proof is awaited."""
        return cast(types.ListDomainsForOrganizationData, await self._api.call("GET", "/v1/admin/organizations/{organizationId}/domains", params={"organizationId": organization_id}, options=options))

    async def check(self, organization_id: str, domain: str, **options: Unpack[RequestOptions]) -> types.Domain:
        """Looks for the TXT record of a domain now, and verifies the domain if it is there."""
        return cast(types.Domain, await self._api.call("POST", "/v1/admin/organizations/{organizationId}/domains/{domain}/check", params={"organizationId": organization_id, "domain": domain}, options=options))

    async def remove(self, organization_id: str, domain: str, **options: Unpack[RequestOptions]) -> types.RemoveDomainData:
        """Removes a domain: pages on it can no longer embed classes."""
        return cast(types.RemoveDomainData, await self._api.call("DELETE", "/v1/admin/organizations/{organizationId}/domains/{domain}", params={"organizationId": organization_id, "domain": domain}, options=options))


class AsyncCredits:
    def __init__(self, api: AsyncTransport) -> None:
        self._api = api

    async def add(self, organization_id: str, body: types.PostCreditsBody, **options: Unpack[RequestOptions]) -> types.PostedCredits:
        """Tops up an organization, or corrects its balance by a negative amount. A repeated reference counts once."""
        return cast(types.PostedCredits, await self._api.call("POST", "/v1/admin/organizations/{organizationId}/credits", params={"organizationId": organization_id}, body=body, options=options))

    async def balance(self, organization_id: str, **options: Unpack[RequestOptions]) -> types.Balance:
        """Returns the remaining credits (prepaid) or the credits used in this cycle (postpaid)."""
        return cast(types.Balance, await self._api.call("GET", "/v1/admin/organizations/{organizationId}/balance", params={"organizationId": organization_id}, options=options))


class AsyncLedger:
    def __init__(self, api: AsyncTransport) -> None:
        self._api = api

    def list(self, organization_id: str, query: types.ListLedgerForOrganizationQuery | None = None, **options: Unpack[RequestOptions]) -> AsyncPages[types.ListLedgerForOrganizationData, types.LedgerEntry]:
        """Returns every entry behind the balance, newest first."""

        async def fetch(cursor: str | None) -> types.ListLedgerForOrganizationData:
            return cast(types.ListLedgerForOrganizationData, await self._api.call("GET", "/v1/admin/organizations/{organizationId}/ledger", params={"organizationId": organization_id}, query=with_cursor(query, cursor), options=options))

        return AsyncPages(fetch, lambda page: page["entries"], lambda page: page["pagination"].get("nextCursor"))

    async def explain(self, organization_id: str, entry_id: str, **options: Unpack[RequestOptions]) -> types.ExplainedEntry:
        """Returns the sessions or the AI usage behind a charge and computes the charge again."""
        return cast(types.ExplainedEntry, await self._api.call("GET", "/v1/admin/organizations/{organizationId}/ledger/{entryId}/explain", params={"organizationId": organization_id, "entryId": entry_id}, options=options))


class AsyncStatements:
    def __init__(self, api: AsyncTransport) -> None:
        self._api = api

    async def list(self, organization_id: str, **options: Unpack[RequestOptions]) -> types.ListStatementsForOrganizationData:
        """Returns the closed postpaid cycles, newest first."""
        return cast(types.ListStatementsForOrganizationData, await self._api.call("GET", "/v1/admin/organizations/{organizationId}/statements", params={"organizationId": organization_id}, options=options))

    async def pdf(self, organization_id: str, statement_id: str, query: types.GetStatementPdfForOrganizationQuery | None = None, **options: Unpack[RequestOptions]) -> bytes:
        """Returns a statement as a PDF file: totals by kind, and a line for each class."""
        return await self._api.pdf("GET", "/v1/admin/organizations/{organizationId}/statements/{statementId}/pdf", params={"organizationId": organization_id, "statementId": statement_id}, query=query, options=options)


class AsyncCredentials:
    def __init__(self, api: AsyncTransport) -> None:
        self._api = api

    async def create(self, organization_id: str, body: types.CreateCredentialForOrganizationBody | None = None, **options: Unpack[RequestOptions]) -> types.CredentialWithValue:
        """Creates a further value for `VF-ORG-ID`. Only this response contains it. An API key cannot create credentials."""
        return cast(types.CredentialWithValue, await self._api.call("POST", "/v1/admin/organizations/{organizationId}/credentials", params={"organizationId": organization_id}, body=body or {}, options=options))

    async def list(self, organization_id: str, **options: Unpack[RequestOptions]) -> types.ListCredentialsForOrganizationData:
        """Returns the organization’s credentials for `VF-ORG-ID`, oldest first, without their values."""
        return cast(types.ListCredentialsForOrganizationData, await self._api.call("GET", "/v1/admin/organizations/{organizationId}/credentials", params={"organizationId": organization_id}, options=options))

    async def revoke(self, organization_id: str, credential_id: str, **options: Unpack[RequestOptions]) -> types.RevokedCredential:
        """Revokes a credential of an organization immediately. After the last one, only API keys are accepted."""
        return cast(types.RevokedCredential, await self._api.call("DELETE", "/v1/admin/organizations/{organizationId}/credentials/{credentialId}", params={"organizationId": organization_id, "credentialId": credential_id}, options=options))


class AsyncApiKeys:
    def __init__(self, api: AsyncTransport) -> None:
        self._api = api

    async def create(self, organization_id: str, body: types.CreateApiKeyForOrganizationBody, **options: Unpack[RequestOptions]) -> types.ApiKeyWithSecret:
        """Creates an API key. Only this response contains its secret. A key can grant no more scopes than it has itself."""
        return cast(types.ApiKeyWithSecret, await self._api.call("POST", "/v1/admin/organizations/{organizationId}/api-keys", params={"organizationId": organization_id}, body=body, options=options))

    async def list(self, organization_id: str, **options: Unpack[RequestOptions]) -> types.ListApiKeysForOrganizationData:
        """Returns the organization’s API keys, oldest first."""
        return cast(types.ListApiKeysForOrganizationData, await self._api.call("GET", "/v1/admin/organizations/{organizationId}/api-keys", params={"organizationId": organization_id}, options=options))

    async def revoke(self, organization_id: str, key_id: str, query: types.RevokeApiKeyForOrganizationQuery | None = None, **options: Unpack[RequestOptions]) -> types.RevokedApiKey:
        """Revokes an API key with all its secrets immediately, and the keys that it created, directly or through another one."""
        return cast(types.RevokedApiKey, await self._api.call("DELETE", "/v1/admin/organizations/{organizationId}/api-keys/{keyId}", params={"organizationId": organization_id, "keyId": key_id}, query=query, options=options))


class AsyncDashboardTokens:
    def __init__(self, api: AsyncTransport) -> None:
        self._api = api

    async def create(self, organization_id: str, body: types.IssueDashboardTokenForOrganizationBody, **options: Unpack[RequestOptions]) -> types.IssueDashboardTokenForOrganizationData:
        """Creates a token for one person of the organization’s staff and its dashboard, for a link to the console. That of an API key expires no later than the key."""
        return cast(types.IssueDashboardTokenForOrganizationData, await self._api.call("POST", "/v1/admin/organizations/{organizationId}/dashboard-tokens", params={"organizationId": organization_id}, body=body, options=options))

    async def revoke(self, organization_id: str, **options: Unpack[RequestOptions]) -> types.RevokedDashboardTokens:
        """Revokes all dashboard tokens of the organization immediately. Tokens created afterwards are valid."""
        return cast(types.RevokedDashboardTokens, await self._api.call("DELETE", "/v1/admin/organizations/{organizationId}/dashboard-tokens", params={"organizationId": organization_id}, options=options))

    async def end_session(self, organization_id: str, session_id: str, **options: Unpack[RequestOptions]) -> types.EndedDashboardSession:
        """Ends a dashboard session of the organization immediately: its token is no longer valid. With a dashboard token, everyone may end their own session, and an OWNER each."""
        return cast(types.EndedDashboardSession, await self._api.call("DELETE", "/v1/admin/organizations/{organizationId}/dashboard-sessions/{sessionId}", params={"organizationId": organization_id, "sessionId": session_id}, options=options))


class AsyncAiSettings:
    def __init__(self, api: AsyncTransport) -> None:
        self._api = api

    async def get(self, organization_id: str, **options: Unpack[RequestOptions]) -> types.AiSettings:
        """Returns the organization’s own models and prices; null where the installation’s settings apply."""
        return cast(types.AiSettings, await self._api.call("GET", "/v1/admin/organizations/{organizationId}/ai", params={"organizationId": organization_id}, options=options))

    async def update(self, organization_id: str, body: types.UpdateAiSettingsBody, **options: Unpack[RequestOptions]) -> types.AiSettings:
        """Changes the organization’s own models and prices."""
        return cast(types.AiSettings, await self._api.call("PATCH", "/v1/admin/organizations/{organizationId}/ai", params={"organizationId": organization_id}, body=body, options=options))


class AsyncAudit:
    def __init__(self, api: AsyncTransport) -> None:
        self._api = api

    def list(self, query: types.ListAuditOfAllQuery | None = None, **options: Unpack[RequestOptions]) -> AsyncPages[types.ListAuditOfAllData, types.OperatorsAuditEntry]:
        """Returns the entries of all organizations and of the operators, newest first."""

        async def fetch(cursor: str | None) -> types.ListAuditOfAllData:
            return cast(types.ListAuditOfAllData, await self._api.call("GET", "/v1/admin/audit", query=with_cursor(query, cursor), options=options))

        return AsyncPages(fetch, lambda page: page["entries"], lambda page: page["pagination"].get("nextCursor"))


class AsyncSystem:
    def __init__(self, api: AsyncTransport) -> None:
        self._api = api

    async def get(self, **options: Unpack[RequestOptions]) -> types.System:
        """Asks all processes for their version, their queues and consumers, and recorders for their slots."""
        return cast(types.System, await self._api.call("GET", "/v1/admin/system", options=options))


class AsyncDeadLetters:
    def __init__(self, api: AsyncTransport) -> None:
        self._api = api

    def list(self, query: types.ListDeadLettersQuery | None = None, **options: Unpack[RequestOptions]) -> AsyncPages[types.ListDeadLettersData, types.DeadLetter]:
        """Returns the messages that consumers gave up, newest first."""

        async def fetch(cursor: str | None) -> types.ListDeadLettersData:
            return cast(types.ListDeadLettersData, await self._api.call("GET", "/v1/admin/dead-letters", query=with_cursor(query, cursor), options=options))

        return AsyncPages(fetch, lambda page: page["deadLetters"], lambda page: page["pagination"].get("nextCursor"))

    async def get(self, dead_letter_id: str, **options: Unpack[RequestOptions]) -> types.DeadLetter:
        """Returns a message that a consumer gave up."""
        return cast(types.DeadLetter, await self._api.call("GET", "/v1/admin/dead-letters/{deadLetterId}", params={"deadLetterId": dead_letter_id}, options=options))

    async def discard(self, dead_letter_id: str, **options: Unpack[RequestOptions]) -> types.DeadLetter:
        """Deletes the message. This cannot be undone."""
        return cast(types.DeadLetter, await self._api.call("DELETE", "/v1/admin/dead-letters/{deadLetterId}", params={"deadLetterId": dead_letter_id}, options=options))

    async def replay(self, dead_letter_id: str, **options: Unpack[RequestOptions]) -> types.DeadLetter:
        """Publishes the message again on its subject, and deletes the dead letter. Consumers that have applied it recognize its id and do nothing. If it fails again, it becomes another dead letter."""
        return cast(types.DeadLetter, await self._api.call("POST", "/v1/admin/dead-letters/{deadLetterId}/replay", params={"deadLetterId": dead_letter_id}, options=options))


class AsyncAdminResources:
    def __init__(self, api: AsyncTransport) -> None:
        self._api = api
        self.organizations = AsyncOrganizations(api)
        self.join_hooks = AsyncJoinHooks(api)
        self.domains = AsyncDomains(api)
        self.credits = AsyncCredits(api)
        self.ledger = AsyncLedger(api)
        self.statements = AsyncStatements(api)
        self.credentials = AsyncCredentials(api)
        self.api_keys = AsyncApiKeys(api)
        self.dashboard_tokens = AsyncDashboardTokens(api)
        self.ai_settings = AsyncAiSettings(api)
        self.audit = AsyncAudit(api)
        self.system = AsyncSystem(api)
        self.dead_letters = AsyncDeadLetters(api)
