-- The words of the index, for titles and for texts apart: nothing is stored for it.
create virtual table search_column_word using fts5vocab(search_text, 'col');
