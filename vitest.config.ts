import { defineConfig } from "vitest/config"

/** Module, shell and store tests run on whichever store `STORE` names; the project sets it. */
const onStore = (store: string, include: ReadonlyArray<string>) => ({
  test: { name: store, include: [...include], env: { STORE: store }, testTimeout: 30_000, hookTimeout: 60_000 },
})

const everywhere = ["test/{ports,application,adapters}/**/*.test.ts"]

export default defineConfig({
  test: {
    projects: [
      onStore("memory", ["test/**/*.test.ts"]),
      onStore("embedded", everywhere),
      onStore("postgres", everywhere),
      { test: { name: "e2e", include: ["test/e2e/**/*.e2e.ts"], testTimeout: 240_000, hookTimeout: 120_000, fileParallelism: false } },
    ],
  },
})
