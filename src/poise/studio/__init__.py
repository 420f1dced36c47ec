"""The studio: pose and animate in the browser. `poise` opens it.

session   headless: the document, undo, drags; every change is a command (messages.py)
server    serves the page and one WebSocket on this machine only
web       the page: TypeScript and three.js, built into `static` with the package
"""
