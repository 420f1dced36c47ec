import { effect } from "@preact/signals";
import { render } from "preact";
import { followInterest } from "./inquiries";
import { applyPalette } from "./palette";
import { keepTime } from "./playback";
import { keepRecord } from "./plots/shown";
import { listenToKeys } from "./shortcuts";
import { theme } from "./store";
import { listenToDriver } from "./walk/control";
import "./style.css";
import { App } from "./ui/App";

effect(() => applyPalette(theme.value));
render(<App />, document.getElementById("app")!);
followInterest();
keepTime();
keepRecord();
listenToDriver();
listenToKeys();
