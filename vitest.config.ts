import { defineConfig } from "vitest/config"

/** Module, shell and store tests run on whichever store `STORE` names; the project sets it. */
const onStore = (store: string, include: ReadonlyArray<string>) => ({
  test: { name: store, include: [...include], env: { STORE: store }, testTimeout: 30_000, hookTimeout: 60_000 },
})

const everywhere = ["test/{ports,application}/**/*.test.ts", "test/adapters/{http,mail}/*.test.ts"]
const onPostgres = "test/adapters/postgres/*.test.ts"

export default defineConfig({
  test: {
    projects: [
      onStore("memory", ["test/**/*.test.ts", `!${onPostgres}`]),
      onStore("embedded", [...everywhere, onPostgres]),
      onStore("postgres", [...everywhere, onPostgres]),
      { test: { name: "e2e", include: ["test/e2e/**/*.e2e.ts"], testTimeout: 240_000, hookTimeout: 120_000, fileParallelism: false } },
    ],
  },
})
