/**
 * Reads files of Parquet whose columns are flat: what the writers of references make, and no more.
 */
@NullMarked
package dev.zarrreactive.internal.parquet;

import org.jspecify.annotations.NullMarked;
