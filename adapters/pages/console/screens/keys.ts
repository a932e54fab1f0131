import { html } from "@remix-run/html-template"
import { Effect } from "effect"
import { linkButton } from "../../account/parts.ts"
import { leftToRight } from "../../components/direction.ts"
import { type Output, Visit } from "../../page.ts"
import { confirmation, type Subject } from "../confirmation.ts"
import { body, card } from "../parts/body.ts"
import { part } from "../parts/part.ts"
import { table, tableCard } from "../parts/table.ts"
import { badge, code, counted, id, time, twoLines } from "../parts/values.ts"
import { type ConsoleView, Operator, type Screen, type Template } from "../screen.ts"

type Key = Output<"adminKeysList">["keys"][number]
type Secret = Output<"adminKeysSecrets">["secrets"][number]

interface Props {
  readonly keys: ReadonlyArray<Key>
}

/** The keys that sign tokens. */
export const keysCard: Template<Props> = (view, { keys }) => {
  const { t } = view.texts
  return tableCard(t("console.keys.signing"), {
    action: linkButton(view.at("/keys/rotate"), t("console.keys.rotate"), "danger"),
    columns: [
      {
        label: t("console.keys.use"),
        cell: ({ use, id: own }) => twoLines(code(use), id(own)),
      },
      { label: t("console.keys.algorithm"), cell: ({ algorithm }) => leftToRight(algorithm) },
      { label: t("console.users.state"), cell: ({ state }) => stateOf(view, state) },
      { label: t("console.keys.from"), cell: ({ from }) => time(view, from) },
      { label: t("console.keys.until"), cell: ({ until }) => time(view, until) },
    ],
    rows: keys,
    empty: t("console.keys.none"),
  })
}

const stateOf = ({ texts: { t } }: ConsoleView, state: Key["state"]) => {
  if (state === "current") return badge("good", t("console.keys.current"))
  return state === "next" ? badge("waiting", t("console.keys.next")) : badge("stopped", t("console.keys.former"))
}

interface Secrets {
  readonly secrets: ReadonlyArray<Secret>
}

/** The secrets of the service, with the number of values that each of them encrypts. */
export const secretsCard: Template<Secrets> = (view, { secrets }) => {
  const { t } = view.texts
  return card(
    t("console.keys.secrets"),
    {},
    html`<p>${t("console.keys.secrets.about")}</p>`,
    table({
      caption: t("console.keys.secrets"),
      columns: [
        { label: t("console.id"), cell: (secret) => (secret.id === null ? t("console.keys.without_id") : id(secret.id)) },
        { label: t("console.users.state"), cell: ({ state }) => stateOf(view, state) },
        {
          label: t("console.keys.values"),
          cell: ({ rows, capped }) => counted(view, rows, capped),
        },
      ],
      rows: secrets,
      empty: t("console.keys.none"),
    }),
  )
}

export const keys: Screen = {
  path: "/keys",
  permission: "keys:rotate",
  needs: ["adminKeysList"],
  uses: ["adminKeysSecrets"],
  section: { label: "console.keys", group: "service" },
  show: Effect.gen(function* () {
    const { call } = yield* Visit
    const { view } = yield* Operator
    const { t } = view.texts
    const parts = yield* Effect.all(
      [
        part(
          view,
          t("console.keys.signing"),
          Effect.map(call("adminKeysList"), (shown) => keysCard(view, shown)),
        ),
        part(
          view,
          t("console.keys.secrets"),
          Effect.map(call("adminKeysSecrets"), (shown) => secretsCard(view, shown)),
        ),
      ],
      { concurrency: "unbounded" },
    )
    return { title: t("console.keys"), main: body(view, { title: t("console.keys") }, ...parts) }
  }),
}

/** The host of the service is typed, so that an administrator of several services does not rotate the keys of another one. */
export const rotateKeys = confirmation({
  path: "/keys/rotate",
  permission: "keys:rotate",
  section: "/keys",
  needs: ["adminKeysList", "adminKeysRotate"],
  title: "console.keys.rotate",
  text: "console.keys.rotate.text",
  subject: Effect.gen(function* () {
    const { host } = new URL((yield* Visit).site.core.public_url)
    const pageName = (yield* Operator).view.texts.t("console.keys")
    return { id: host, name: host, about: [], page: ["/keys"], pageName, typed: host } satisfies Subject
  }),
  run: Effect.fnUntraced(function* rotate(_) {
    const { call } = yield* Visit
    const { added } = yield* call("adminKeysRotate")
    return added.length === 0 ? ("console.keys.rotated.none" as const) : ("console.keys.rotated" as const)
  }),
})
