import { html } from "@remix-run/html-template"
import { Effect } from "effect"
import { form } from "../../components/form.ts"
import { type Input, type Output, Visit } from "../../page.ts"
import { body, card } from "../parts/body.ts"
import { choiceFilter, filters, filtersIn, results } from "../parts/filters.ts"
import { paging, table, tableCard } from "../parts/table.ts"
import { badge, code, details, id, type State, time, userLink } from "../parts/values.ts"
import { askedId, type ConsoleView, goTo, Operator, type Screen, type Template } from "../screen.ts"
import { party } from "./audit.ts"
import { operationName } from "./users/operations.ts"

type Job = Output<"adminJobsList">["jobs"][number]

const looks = { queued: "waiting", running: "open", succeeded: "good", failed: "failed", cancelled: "stopped" } as const satisfies Readonly<
  Record<Job["state"], State>
>

interface Props {
  readonly jobs: ReadonlyArray<Job>
  readonly query: Readonly<Record<string, string>>
  readonly next: string | null
}

/** The operations on many users, the newest first. */
export const listTemplate: Template<Props> = (view, { jobs, query, next }) => {
  const { t } = view.texts
  const states = Object.keys(looks).map((state) => [state, t(`console.job.${state}`)] as const)
  return body(
    view,
    { title: t("console.jobs") },
    filters(view, "/jobs", choiceFilter(view, { name: "state", label: t("console.users.state"), options: states }, query["state"] ?? "")),
    results(
      table({
        caption: t("console.jobs"),
        columns: [
          {
            label: t("console.job.operation"),
            cell: ({ id, operation }) => html`<a href="${view.at("/job", { id })}">${operationName(view, operation)}</a>`,
          },
          { label: t("console.users.state"), cell: (job) => jobState(view, job) },
          { label: t("console.job.done"), cell: (job) => jobDone(view, job) },
          { label: t("console.job.by"), cell: ({ created_by }) => party(view, created_by) },
          { label: t("console.users.created"), cell: ({ created_at }) => time(view, created_at) },
        ],
        rows: jobs,
        empty: t("console.jobs.none"),
      }),
      paging(view, "/jobs", query, next),
    ),
  )
}

export const jobState = ({ texts }: ConsoleView, job: Job) => badge(looks[job.state], texts.t(`console.job.${job.state}`))

export const jobDone = ({ texts }: ConsoleView, { position, total }: Job) =>
  total === null ? texts.t("console.number", { count: position }) : texts.t("console.job.of", { done: position, total })

interface One {
  readonly job: Job
  readonly failures: Output<"adminJobsShow">["failures"]
}

/** One of them, with the users for whom it failed. */
export const template: Template<One> = (view, { job, failures }) => {
  const { t } = view.texts
  const refresh = html`<a class="button small secondary" href="${view.here}">${t("console.several.refresh")}</a>`
  const isOpen = (job.state === "queued" || job.state === "running") && view.may("jobs:run")
  return body(
    view,
    { title: operationName(view, job.operation), parent: { href: view.at("/jobs"), label: t("console.jobs") } },
    card(
      t("console.job.progress"),
      { action: job.finished_at === null ? refresh : null },
      details([
        [t("console.users.state"), jobState(view, job)],
        [t("console.job.done"), jobDone(view, job)],
        [t("console.job.succeeded"), t("console.number", { count: job.succeeded })],
        [t("console.job.failures"), t("console.number", { count: job.failed })],
        [t("console.job.code"), job.code === null ? null : reasonOf(view, job.code)],
        [t("console.job.by"), party(view, job.created_by)],
        [t("console.users.created"), time(view, job.created_at)],
        [t("console.started"), time(view, job.started_at)],
        [t("console.job.finished"), time(view, job.finished_at)],
        [t("console.id"), id(job.id)],
      ]),
      isOpen ? form(view, { action: "cancel", submit: t("console.job.cancel"), look: "small danger" }) : null,
    ),
    failuresCard(view, failures),
  )
}

/** The users for whom it failed, or would fail. */
export const failuresCard = (view: ConsoleView, failures: One["failures"]) => {
  const { t } = view.texts
  return tableCard(t("console.job.failures"), {
    columns: [
      { label: t("console.users.user"), cell: ({ user_id }) => userLink(view, user_id) },
      { label: t("console.job.code"), cell: ({ code }) => reasonOf(view, code) },
    ],
    rows: failures,
    empty: t("console.job.failures.none"),
  })
}

/** An error in words, if there are some. Those of an invalid input are about a form. */
export const reasonOf = ({ texts }: ConsoleView, word: string) =>
  (word === "invalid_request" ? undefined : texts.find(`error.${word}`, { seconds: 60, minutes: 1 })) ?? code(word)

export const jobs: Screen = {
  path: "/jobs",
  permission: "jobs:read",
  needs: ["adminJobsList"],
  section: { label: "console.jobs", group: "activity", key: "j" },
  show: Effect.gen(function* () {
    const { call, query } = yield* Visit
    const { view } = yield* Operator
    const chosen = filtersIn(query, ["state"])
    const found = yield* call("adminJobsList", chosen as Input<"adminJobsList">)
    const main = listTemplate(view, { jobs: found.jobs, query: chosen, next: found.next_cursor ?? null })
    return { title: view.texts.t("console.jobs"), main }
  }),
}

const asked = Effect.map(askedId, (job_id) => ({ job_id }))

export const job: Screen = {
  path: "/job",
  permission: "jobs:read",
  needs: ["adminJobsShow"],
  uses: ["adminJobsCancel"],
  section: "/jobs",
  show: Effect.gen(function* () {
    const { call } = yield* Visit
    const { view } = yield* Operator
    const shown = yield* call("adminJobsShow", yield* asked)
    return { title: operationName(view, shown.job.operation), main: template(view, shown) }
  }),
  actions: {
    cancel: Effect.gen(function* () {
      const { call } = yield* Visit
      const { job_id } = yield* asked
      yield* call("adminJobsCancel", { job_id })
      return yield* goTo("/job", "console.job.cancelled_now", { id: job_id })
    }),
  },
}
