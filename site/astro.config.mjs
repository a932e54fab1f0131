import starlight from "@astrojs/starlight"
import { defineConfig } from "astro/config"
import starlightLinksValidator from "starlight-links-validator"
import { sidebar } from "./sidebar.mjs"

export default defineConfig({
  integrations: [
    starlight({
      title: "Sallyport",
      description: "An authentication and identity server: your users' accounts on your own machines.",
      customCss: ["./src/styles/site.css"],
      tableOfContents: { minHeadingLevel: 2, maxHeadingLevel: 3 },
      credits: false,
      pagination: false,
      plugins: [starlightLinksValidator({ exclude: ["/docs/**"] })],
      sidebar,
    }),
  ],
})
