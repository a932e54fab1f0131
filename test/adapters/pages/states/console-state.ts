import type { SafeHtml } from "@remix-run/html-template"
import { header, navigation, placesOf } from "../../../../adapters/pages/console/frame.ts"
import type { ConsoleView } from "../../../../adapters/pages/console/screen.ts"
import { screens } from "../../../../adapters/pages/console/screens.ts"
import type { Key } from "../../../../adapters/texts/texts.ts"
import type { Permission } from "../../../../domain/administration/permissions.ts"
import { type Message, type PageState, shownOnce } from "./state.ts"

export const at = "2026-08-14T09:30:00.000Z"
export const ids = ["01990000-0000-7000-8000-000000000001", "01990000-0000-7000-8000-000000000002"] as const
export const long = "augusta.ada.king.countess.of.lovelace.born.byron@analytical-engines.example.com"
export const hostile = '<img src=x onerror="alert(1)">'

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
