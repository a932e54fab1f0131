import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { mailLinks } from "../../../adapters/pages/mail-links.ts"
import { builtWith, requests, spa } from "../../application/modules/idp/provider.ts"
import { modules as everything } from "../../everything.ts"
import { served } from "../http/served.ts"
import { browse, origin, signedUp } from "./browse.ts"

const app = { ...spa, scopes: ["openid", "notes:read"], consent: true, client_name: "Notes" }
const modules = [...everything.filter(({ name }) => name !== "idp"), builtWith({ clients: [app] })]
const links = mailLinks({ path: "/", routes: {} }, { public_url: origin, links: {} }, { idp: {} })
const texts = { en: { "scope.notes:read": "Read your notes", "role.member": "Colleague", "provider.idp_one": "your work account" } }

describe("the operator's names", () => {
  it.layer(served({ modules, settings: { links }, pages: {}, providers: ["idp_one"], texts }))((it) => {
    it.effect("of scopes are on the pages of the consent and of the applications", () =>
      Effect.gen(function* () {
        const ada = yield* signedUp("ada@example.com")
        const query = new URLSearchParams({ ...requests.spa, scope: "openid notes:read" })
        const { headers } = yield* ada.request("GET", `/api/auth/oauth2/authorize?${query}`)
        const page = yield* ada.open((headers.location ?? "").slice(origin.length))
        assert.include(page.text, "Read your notes")
        yield* ada.press(page, "allow")
        assert.include((yield* ada.open("/account/applications")).text, "Read your notes")
      }),
    )

    it.effect("of roles are on the pages of organizations", () =>
      Effect.gen(function* () {
        const ada = yield* signedUp("grace@example.com")
        yield* ada.api("/organization/create", { name: "Looms", slug: "looms" })
        const { organizations } = yield* ada.api("/organization/list")
        const page = yield* ada.open(`/account/organization/invite?id=${organizations[0].id}`)
        assert.match(page.html, /<option value="member"[^>]*>Colleague<\/option>/)
      }),
    )

    it.effect("of providers are on the pages of the sign-in and of the connections", () =>
      Effect.gen(function* () {
        const { forms } = yield* browse().open("/sign-in")
        assert.include(
          forms.flatMap(({ buttons }) => buttons["social"] ?? []),
          "Y Continue with your work account",
        )
        const ada = yield* signedUp("mary@example.com")
        assert.include((yield* ada.open("/account/connections")).text, "your work account")
      }),
    )
  })
})
