def test_a_person_is_left_out_of_public_tables_and_taken_in_again(kifu):
    kifu("clubs", "create", "Club")
    kifu("clubs", "join", "Club", "Aiko")
    assert "Aiko is left out of public tables." in kifu("players", "listing", "Aiko", "out")
    assert "Aiko is in public tables." in kifu("players", "listing", "Aiko", "in")
