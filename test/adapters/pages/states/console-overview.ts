import { chart } from "../../../../adapters/pages/console/parts/chart.ts"
import { failed } from "../../../../adapters/pages/console/parts/part.ts"
import type { ConsoleView } from "../../../../adapters/pages/console/screen.ts"
import { figures, now, off, template } from "../../../../adapters/pages/console/screens/overview/index.ts"
import { type RangeName, ranges } from "../../../../adapters/pages/console/screens/overview/ranges.ts"
import type { Figures } from "../../../../adapters/pages/console/screens/overview/tiles.ts"
import { at, hostile, ids, long, statesOf } from "./console-state.ts"
import type { PageState } from "./state.ts"

const start = Date.parse("2026-08-14T00:00:00.000Z")

/** Figures of a range, with a wave of sign-ins and an attack in the middle. */
const figuresOf = (range: RangeName, counted_since: string | null = "2025-01-01T00:00:00.000Z"): Figures => {
  const { step, count } = ranges[range]
  const points = Array.from({ length: count }, (_, index) => {
    const wave = Math.round(400 + 300 * Math.sin(index / 4))
    const attack = index === Math.floor(count / 2) ? 2_500 : index % 7
    const counts = {
      "sign_in.succeeded": wave,
      "sign_in.succeeded/email_password": Math.floor(wave / 2),
      "sign_in.succeeded/passkey": Math.floor(wave / 4),
      "sign_in.succeeded/magic_link": Math.floor(wave / 8),
      "sign_in.succeeded/siwe": Math.floor(wave / 16),
      "sign_in.failed": attack,
      "sign_in.challenged": Math.floor(wave / 10),
      "sign_in.locked": Math.floor(attack / 5),
      "limit.reached": 1,
      "user.created": index % 5,
    }
    return { at: new Date(start + index * (step === "hour" ? 3_600_000 : 86_400_000)).toISOString(), counts }
  })
  return { points, active: { day: 12_345, week: 45_678, month: 1_234_567 }, counted_since }
}
const empty = (range: RangeName, counted_since: string | null): Figures => ({
  points: figuresOf(range).points.map(({ at }) => ({ at, counts: {} })),
  active: { day: 0, week: 0, month: 0 },
  counted_since,
})

const quiet = {
  health: { processes: [], store: { ms: 1 }, queues: [], seal_age_s: 0, findings: [] },
  webhooks: [],
  due: [],
  hasDead: false,
}
const hook = { id: ids[0], url: `https://${long.replace("@", ".")}/hook`, types: [], configured: false, failing_since: at, disabled_at: at }
const troubled = {
  health: {
    ...quiet.health,
    queues: [
      { receiver: "mail", waiting: 1000, capped: true, oldest_s: 7300 },
      { receiver: "webhook", waiting: 12, capped: false, oldest_s: 3601 },
      { receiver: "sms", waiting: 1, capped: false, oldest_s: 3600 },
    ],
    seal_age_s: 7201,
    findings: [
      { module: "service", severity: "warning" as const, text: hostile },
      { module: "admin", severity: "note" as const, text: "A note is not shown here." },
    ],
  },
  webhooks: [hook, { ...hook, disabled_at: null }],
  due: [
    {
      use: "idp",
      id: "n8mT2Xv5w0kJr1yQ4zB7c9dF3gH6aL8s",
      algorithm: "RS256",
      state: "current" as const,
      from: null,
      until: null,
      due_at: at,
    },
  ],
  hasDead: true,
}
const shown =
  (range: RangeName, current: Figures, earlier: Figures, state = quiet as typeof troubled | typeof quiet) =>
  (view: ConsoleView) =>
    template(view, [now(view, state), figures(view, { range, current, earlier, at: Date.parse(at) })])

export const states: ReadonlyArray<PageState> = statesOf("", "/", "console.overview", [
  ["24 hours", shown("24h", figuresOf("24h"), figuresOf("24h"), troubled)],
  ["7 days", shown("7d", figuresOf("7d"), empty("7d", at))],
  ["90 days, counted since a while", shown("90d", figuresOf("90d", at), figuresOf("90d", at))],
  ["counted since this hour", shown("24h", figuresOf("24h", "2099-01-01T00:00:00.000Z"), empty("24h", null))],
  ["nothing counted yet", shown("24h", empty("24h", null), empty("24h", null))],
  ["without figures", (view) => template(view, [now(view, quiet), off(view)])],
  ["figures only, which failed", (view) => template(view, [failed(view, view.texts.t("console.overview.figures"))])],
  [
    "hostile names",
    (view) =>
      template(view, [
        chart(view, { id: "hostile", title: hostile, series: [{ label: hostile, values: [1, 0] }], times: [hostile, long] }),
      ]),
  ],
])
