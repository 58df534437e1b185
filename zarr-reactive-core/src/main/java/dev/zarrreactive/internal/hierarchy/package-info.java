/** The nodes of a hierarchy in a store: finding, listing, creating and erasing them. */
@NullMarked
package dev.zarrreactive.internal.hierarchy;

import org.jspecify.annotations.NullMarked;
