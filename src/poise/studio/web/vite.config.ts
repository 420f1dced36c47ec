import { defineConfig } from "vite";

export default defineConfig({
  base: "./", // served from wherever the server mounts it
  build: {
    outDir: "../static",
    emptyOutDir: true,
    target: "es2022",
    chunkSizeWarningLimit: 1500,
  },
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
});
