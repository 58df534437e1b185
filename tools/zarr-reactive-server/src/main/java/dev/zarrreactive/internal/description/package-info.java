/** Nodes as a server describes them, and the forms in which it sends slices. */
@NullMarked
package dev.zarrreactive.internal.description;

import org.jspecify.annotations.NullMarked;
