import { Effect } from "effect"
import { removeAll } from "../../../domain/ports/store.ts"
import * as Module from "../../service/module.ts"
import { rotate } from "./administration.ts"
import { authorize } from "./authorization/authorize.ts"
import { connectedApplications } from "./authorization/connected-applications.ts"
import { consentPage } from "./authorization/consent-page.ts"
import { Consents } from "./authorization/consent-table.ts"
import { movedConsents } from "./authorization/moved-consents.ts"
import { notedProof } from "./authorization/proofs.ts"
import { pushedRequest } from "./authorization/pushed-request.ts"
import { selectAccount } from "./authorization/select-account.ts"
import { selectOrganization } from "./authorization/select-organization.ts"
import { profile } from "./claims/profile.ts"
import { Profiles } from "./claims/profile-table.ts"
import { PairwiseSubjects } from "./claims/subject.ts"
import { findings } from "./clients/administrators.ts"
import { agentAdministration } from "./clients/agents/agent-administration.ts"
import { AgentClients } from "./clients/agents/agent-clients.ts"
import { clientAdministration } from "./clients/client-administration.ts"
import { registration } from "./clients/registration.ts"
import { clientsByText } from "./clients/search.ts"
import { clientSearchTexts, StoredClients } from "./clients/stored-clients.ts"
import { discovery, jwks } from "./discovery.ts"
import * as Errors from "./errors.ts"
import { events, types } from "./events.ts"
import { deviceAuthorization } from "./grants/device-authorization.ts"
import { DeviceCodes } from "./grants/device-codes.ts"
import { devicePage } from "./grants/device-page.ts"
import { token } from "./grants/token.ts"
import { rotation, shownKeys } from "./keys/signing-keys.ts"
import { logoutChannels, logoutNotice } from "./logout/back-channel-logout.ts"
import { endSession } from "./logout/end-session.ts"
import { LogoutRequests } from "./logout/logout-requests.ts"
import { faults, Settings } from "./settings.ts"
import {
  AccessTokens,
  AuthorizationCodes,
  AuthorizationRequests,
  RefreshAnswers,
  RefreshFamilies,
  SigningKeys,
  UsedAssertions,
} from "./tables.ts"
import { ClientSessions } from "./tokens/client-sessions.ts"
import { introspection } from "./tokens/introspection.ts"
import { clientOfMachine, heldByClient, machineOf } from "./tokens/machine.ts"
import { revocation } from "./tokens/revocation.ts"
import { userinfo } from "./tokens/userinfo.ts"

/** An OpenID Connect provider: users of other services sign in here. */
export const identityProvider = Module.define({
  name: "idp",
  errors: Object.values(Errors),
  events: types,
  settings: Settings,
  faults,
  parts: (settings) => ({
    tables: [
      Consents,
      AuthorizationCodes,
      DeviceCodes,
      RefreshFamilies,
      RefreshAnswers,
      AccessTokens,
      UsedAssertions,
      AuthorizationRequests,
      ClientSessions,
      LogoutRequests,
      PairwiseSubjects,
      Profiles,
      SigningKeys,
      StoredClients,
      AgentClients,
    ],
    // An attacker who registered another person's address could have given a consent to a client of their own.
    reclaimedTables: [{ table: Consents }],
    rowEvents: events,
    identityProved: notedProof,
    sessionsRevoked: ({ id }) => Effect.succeed([removeAll(RefreshFamilies, { user_id: id })]),
    sessionEnded: logoutNotice(settings),
    beforeUserRemoval: [({ id }) => logoutNotice(settings)(id)],
    mergesUsers: movedConsents,
    channels: logoutChannels(settings),
    machines: machineOf(settings),
    machineGrants: heldByClient(settings),
    countedMachine: clientOfMachine,
    signingKeys: shownKeys(settings),
    keyRotations: [rotation(settings)],
    background: [clientSearchTexts],
    searches: [clientsByText(settings)],
    findings: (core) => findings(settings, core),
    endpoints: [
      ...authorize(settings),
      ...consentPage(settings),
      selectAccount,
      ...selectOrganization(settings),
      ...connectedApplications(settings),
      ...profile,
      ...endSession(settings),
      pushedRequest(settings),
      deviceAuthorization(settings),
      ...devicePage(settings),
      token(settings),
      revocation(settings),
      introspection(settings),
      ...userinfo(settings),
      jwks(settings),
      discovery(settings),
      ...registration(settings),
      rotate(settings),
      ...clientAdministration(settings),
      ...agentAdministration,
    ],
  }),
})
