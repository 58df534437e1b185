/**
 * The drafts of Zarr v3 that programs used before the specification was accepted: their documents
 * in the terms of Zarr v3, and the keys of the draft of 2022. {@link java.util.ServiceLoader} finds
 * them.
 */
@NullMarked
package dev.zarrreactive.internal.drafts;

import org.jspecify.annotations.NullMarked;
