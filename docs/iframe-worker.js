// The site opened from a folder: a browser starts no worker there, so the search, which asks for
// one, gets a hidden frame that behaves like it.
if (location.protocol === "file:") {
  window.Worker = class extends EventTarget {
    constructor(url) {
      super();
      const waiting = [];
      const frame = document.createElement("iframe");
      frame.hidden = true;
      frame.srcdoc =
        "<script>postMessage = (data) => parent.postMessage(data, '*');</script>" +
        `<script src="${url}"></script>`;
      addEventListener("message", (event) => {
        if (event.source === frame.contentWindow) {
          this.dispatchEvent(new MessageEvent("message", { data: event.data }));
        }
      });
      this.postMessage = (data) => waiting.push(data);
      frame.addEventListener("load", () => {
        this.postMessage = (data) =>
          frame.contentWindow.dispatchEvent(new MessageEvent("message", { data }));
        waiting.splice(0).forEach((data) => this.postMessage(data));
      });
      document.body.append(frame);
    }
  };
}
