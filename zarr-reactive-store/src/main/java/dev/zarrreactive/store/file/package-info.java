/** A store of the files below a directory. */
@NullMarked
package dev.zarrreactive.store.file;

import org.jspecify.annotations.NullMarked;
