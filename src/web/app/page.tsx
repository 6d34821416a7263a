export default function Page() {
  return (
    <h1 className="text-2xl text-brass bg-surface rail:text-sm wide:p-4 rounded-3 h-(--h-md)">
      Hall <code className="font-mono">x</code>
    </h1>
  );
}
