/** What the stores of objects in a cloud share. */
@NullMarked
package dev.zarrreactive.internal.objects;

import org.jspecify.annotations.NullMarked;
