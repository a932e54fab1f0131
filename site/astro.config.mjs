import { satteri } from "@astrojs/markdown-satteri"
import starlight from "@astrojs/starlight"
import { defineConfig } from "astro/config"
import starlightLinksValidator from "starlight-links-validator"
import { sidebar } from "./sidebar.mjs"
import { columnNames } from "./tables.mjs"

export default defineConfig({
  markdown: { processor: satteri({ hastPlugins: [columnNames] }) },
  integrations: [
    starlight({
      title: "Sallyport",
      description: "An authentication and identity server: your users' accounts on your own machines.",
      customCss: ["./src/styles/site.css"],
      tableOfContents: { minHeadingLevel: 2, maxHeadingLevel: 3 },
      // Programs and commands wrap; tables in plain text keep their columns.
      expressiveCode: { defaultProps: { frame: "none", overridesByLang: { "sh,ts,tsx,json,astro,svelte,vue": { wrap: true } } } },
      credits: false,
      pagination: false,
      plugins: [starlightLinksValidator({ exclude: ["/docs/**"] })],
      pagefind: { ranking: { metaWeights: { title: 5, keywords: 4 } } },
      sidebar,
    }),
  ],
})
