/** Stores in buckets of Google Cloud Storage. */
@NullMarked
package dev.zarrreactive.gcs;

import org.jspecify.annotations.NullMarked;
