import { Effect } from "effect"
import { removeAll } from "../../../domain/ports/store.ts"
import * as Module from "../../service/module.ts"
import { rotate } from "./administration.ts"
import { authorize } from "./authorize.ts"
import { logoutChannels, logoutNotice } from "./back-channel-logout.ts"
import { clientAdministration } from "./client-administration.ts"
import { ClientSessions } from "./client-sessions.ts"
import { connectedApplications } from "./connected-applications.ts"
import { consentPage } from "./consent-page.ts"
import { Consents } from "./consent-table.ts"
import { deviceAuthorization } from "./device-authorization.ts"
import { DeviceCodes } from "./device-codes.ts"
import { devicePage } from "./device-page.ts"
import { discovery, jwks } from "./discovery.ts"
import { endSession } from "./end-session.ts"
import { events } from "./events.ts"
import { introspection } from "./introspection.ts"
import { LogoutRequests } from "./logout-requests.ts"
import { profile } from "./profile.ts"
import { Profiles } from "./profile-table.ts"
import { pushedRequest } from "./pushed-request.ts"
import { registration } from "./registration.ts"
import { revocation } from "./revocation.ts"
import { selectAccount } from "./select-account.ts"
import { selectOrganization } from "./select-organization.ts"
import { faults, Settings } from "./settings.ts"
import { StoredClients } from "./stored-clients.ts"
import { PairwiseSubjects } from "./subject.ts"
import {
  AccessTokens,
  AuthorizationCodes,
  AuthorizationRequests,
  RefreshAnswers,
  RefreshFamilies,
  SigningKeys,
  UsedAssertions,
} from "./tables.ts"
import { token } from "./token.ts"
import { userinfo } from "./userinfo.ts"

/** An OpenID Connect provider: users of other services sign in here. */
export const identityProvider = Module.define({
  name: "idp",
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
    ],
    // An attacker who registered another person's address could have given a consent to a client of their own.
    authenticators: [{ table: Consents }],
    rowEvents: events,
    sessionsRevoked: ({ id }) => Effect.succeed([removeAll(RefreshFamilies, { user_id: id })]),
    sessionEnded: logoutNotice(settings),
    beforeUserRemoval: [({ id }) => logoutNotice(settings)(id)],
    channels: logoutChannels(settings),
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
    ],
  }),
})
