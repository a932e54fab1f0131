import { html } from "@remix-run/html-template"
import { Effect } from "effect"
import { leftToRight } from "../../components/direction.ts"
import { type Output, Visit } from "../../page.ts"
import { body, card } from "../parts/body.ts"
import { tableCard } from "../parts/table.ts"
import { badge, code, counted, details, time } from "../parts/values.ts"
import { type ConsoleView, Operator, type Screen, type Template } from "../screen.ts"

type Health = Output<"adminHealth">

/** The state of the service. */
export const template: Template<Health> = (view, health) => {
  const { t } = view.texts
  return body(view, { title: t("console.health") }, overview(view, health), queues(view, health), findings(view, health))
}

const overview = (view: ConsoleView, { processes, store, seal_age_s }: Health) => {
  const { t } = view.texts
  return card(
    t("console.health.state"),
    {},
    details([
      [t("console.health.store"), t("console.health.ms", { count: store.ms })],
      [t("console.health.seal"), seal_age_s === null ? null : age(view, seal_age_s)],
      ...processes.flatMap(({ version, started_at, draining }) => [
        [t("console.health.version"), leftToRight(version)] as const,
        [t("console.health.started"), time(view, started_at)] as const,
        [
          t("console.users.state"),
          draining ? badge("stopped", t("console.health.draining")) : badge("good", t("console.job.running")),
        ] as const,
      ]),
    ]),
  )
}

const queues = (view: ConsoleView, { queues }: Health) => {
  const { t } = view.texts
  return tableCard(t("console.health.queues"), {
    columns: [
      { label: t("console.health.queue"), cell: ({ receiver }) => code(receiver) },
      {
        label: t("console.delivery.waiting"),
        cell: ({ waiting, capped }) => counted(view, waiting, capped),
      },
      { label: t("console.health.oldest"), cell: ({ oldest_s }) => age(view, oldest_s) },
    ],
    rows: queues,
    empty: t("console.health.queues.none"),
  })
}

/** What `doctor` finds; its texts are English, as in the terminal. */
const findings = (view: ConsoleView, { findings }: Health) => {
  const { t } = view.texts
  return tableCard(t("console.health.findings"), {
    columns: [
      { label: t("console.health.finding"), cell: ({ text }) => html`<span lang="en" dir="ltr">${text}</span>` },
      { label: t("console.health.module"), cell: ({ module }) => code(module) },
      {
        label: t("console.health.severity"),
        cell: ({ severity }) =>
          severity === "warning" ? badge("failed", t("console.health.warning")) : badge("open", t("console.health.note")),
      },
    ],
    rows: findings,
    empty: t("console.health.findings.none"),
  })
}

/** A time in the largest unit that it fills. */
export const age = ({ texts: { t } }: ConsoleView, seconds: number) => {
  if (seconds < 60) return t("console.age.seconds", { count: seconds })
  if (seconds < 3600) return t("console.age.minutes", { count: Math.floor(seconds / 60) })
  return t("console.age.hours", { count: Math.floor(seconds / 3600) })
}

export const health: Screen = {
  path: "/health",
  permission: "health:read",
  needs: ["adminHealth"],
  section: { label: "console.health", group: "service", key: "h" },
  show: Effect.gen(function* () {
    const { call } = yield* Visit
    const { view } = yield* Operator
    return { title: view.texts.t("console.health"), main: template(view, yield* call("adminHealth")) }
  }),
}
