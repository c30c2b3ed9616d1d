"""The portal: pages for the customers of service desks, who are no members. They work without scripts."""
