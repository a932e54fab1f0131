import type { SafeHtml } from "@remix-run/html-template"
import { Schema } from "effect"
import type { Subject } from "../../../../adapters/pages/console/confirmation.ts"
import { header, navigation, placesOf } from "../../../../adapters/pages/console/frame.ts"
import type { ConsoleView } from "../../../../adapters/pages/console/screen.ts"
import { screens } from "../../../../adapters/pages/console/screens.ts"
import type { Key } from "../../../../adapters/texts/texts.ts"
import type { Permission } from "../../../../domain/administration/permissions.ts"
import { attributesFrom } from "../../../../domain/attributes/attributes.ts"
import { Settings } from "../../../../domain/attributes/settings.ts"
import { type Message, type PageState, shownOnce } from "./state.ts"

export const at = "2026-08-14T09:30:00.000Z"
export const ids = ["01990000-0000-7000-8000-000000000001", "01990000-0000-7000-8000-000000000002"] as const
export const long = "augusta.ada.king.countess.of.lovelace.born.byron@analytical-engines.example.com"
export const hostile = '<img src=x onerror="alert(1)">'

export const one = {
  id: ids[0],
  email: long,
  email_verified: true,
  name: "عائشة بنت أحمد",
  image: null,
  created_at: at,
  updated_at: at,
  role: "user",
  banned: false,
}
export const other = {
  ...one,
  id: ids[1],
  email: "x@example.com",
  name: hostile,
  banned: true,
  role: "very_long_role_of_the_configuration",
}

/** Attributes with a field of each kind. */
export const attributes = attributesFrom(
  Schema.decodeUnknownSync(Settings)({
    plan: { schema: { enum: ["free", "very_long_plan_of_the_configuration"] }, write: "admin" },
    seats: { schema: { type: "integer", minimum: 1 }, write: "admin" },
    tags: { schema: { type: "array", items: { type: "string" } }, write: "admin" },
    newsletter: { schema: { type: "boolean" }, write: "admin" },
    terms: { schema: { const: true }, write: "admin" },
    founded: { schema: { type: "string", format: "date" }, write: "admin" },
    risk: { schema: { type: "integer" }, read: "private", write: "admin" },
  }),
)

export const subject: Subject = {
  id: one.id,
  name: one.name,
  about: [["Email address", long]],
  page: ["/user", { id: one.id }],
  version: "1",
}

type Shown = readonly [
  name: string,
  main: (view: ConsoleView) => SafeHtml,
  message?: Message | undefined,
  lacks?: ReadonlyArray<Permission>,
]

/** The states of one page of the console, whose link in the navigation has this path. */
export const statesOf = (page: string, section: string, title: Key, shown: ReadonlyArray<Shown>) =>
  shown.map(([name, main, message, lacks = []]): PageState => {
    return {
      page: `/admin${page}`,
      name,
      title: (view) => view.texts.t(title),
      ...shownOnce(message),
      wide: true,
      lacks,
      header: (view) => header(view, "Production"),
      nav: (view) =>
        navigation(
          view,
          section,
          placesOf(screens, view, () => true),
        ),
      main,
    }
  })
