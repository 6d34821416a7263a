"use client";

import "./globals.css";

/** The last resort, when even the frame around the pages fails. It relies on nothing else. */
export default function GlobalError() {
  return (
    <html lang="en">
      <body className="grid h-dvh place-content-center p-8">
        <title>Not drawn · Guild Hall</title>
        <main className="grid gap-2">
          <h1>The hall could not draw its pages</h1>
          <p>What was saved is kept. Reload this page; if that does not help, its log in the home folder says why.</p>
        </main>
      </body>
    </html>
  );
}
