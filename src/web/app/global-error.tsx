"use client";

import "./globals.css";

/** The last resort, when even the frame around the pages fails. It relies on nothing else. */
export default function GlobalError() {
  return (
    <html lang="en">
      <body className="grid h-dvh place-content-center gap-2 p-8">
        <title>Guild Hall</title>
        <h1>The hall could not draw its pages</h1>
        <p>What was saved is kept. Reload this page; if that does not help, its log in the home folder says why.</p>
      </body>
    </html>
  );
}
