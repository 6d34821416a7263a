/** A line of text that has not arrived. */
export const Skeleton = ({ width }: { width: string }) => <span className="block h-2.5 rounded-[3px] bg-hover" style={{ width }} />;
