import type { Metadata } from "next";
import { Gallery } from "../../../components/screens/gallery.tsx";

export const metadata: Metadata = { title: "Components" };

export default function GalleryPage() {
  return <Gallery />;
}
