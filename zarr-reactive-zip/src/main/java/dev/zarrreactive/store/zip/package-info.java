/**
 * Zip archives as stores: one that reads an archive in place through ranges of another store, and
 * one that writes a new archive.
 */
@NullMarked
package dev.zarrreactive.store.zip;

import org.jspecify.annotations.NullMarked;
